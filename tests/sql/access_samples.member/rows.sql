-- SPDX-License-Identifier: GPL-2.0-or-later
.read data/typed.sql
-- Offset 16 is the member flag. With addr_source 10 ("nearby") the member is not known, so it must be NULL instead of "flag".
UPDATE access_kinds SET addr_source = 10 WHERE id IN (SELECT kind_id FROM sample_data WHERE object_offset = 16);
