-- SPDX-License-Identifier: GPL-2.0-or-later
-- The samples of "counter" are the own time of atomic operations: nothing says that copies for each thread would save it.
.read object_hints.copies/rows.sql
UPDATE access_kinds SET time_kind = 5 WHERE id IN (SELECT kind_id FROM sample_data WHERE object_id = 13);
