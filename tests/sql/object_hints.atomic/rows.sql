-- SPDX-License-Identifier: GPL-2.0-or-later
-- All samples of "counter" are time of the atomic operations themselves and not waits for its line. So nothing shows
-- that a copy for each thread would save time.
.read object_hints.copies/rows.sql
UPDATE access_kinds SET time_kind = 5 WHERE id IN (SELECT kind_id FROM sample_data WHERE object_id = 13);
