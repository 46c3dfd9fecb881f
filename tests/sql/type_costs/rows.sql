-- SPDX-License-Identifier: GPL-2.0-or-later
-- Two objects are made of one type.
.read data/typed.sql
UPDATE objects SET type_id = 2 WHERE id = 1;
