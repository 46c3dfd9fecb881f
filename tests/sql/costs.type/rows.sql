-- SPDX-License-Identifier: GPL-2.0-or-later
-- Two objects have the same type, so they must be in one row.
.read data/typed.sql
UPDATE objects SET type_id = 2 WHERE id = 1;
