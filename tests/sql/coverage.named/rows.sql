-- SPDX-License-Identifier: GPL-2.0-or-later
-- `table` has a name and a type, but the member of two of its samples is not known: only the element is known at offset
-- 16, and offset 18 is padding. The other object is named after the code that allocates it, in a file without debug
-- information.
.read data/typed.sql
UPDATE access_kinds SET addr_source = 10 WHERE id IN (SELECT kind_id FROM sample_data WHERE object_offset = 16);
UPDATE sample_data SET object_offset = 18 WHERE object_offset = 24;
UPDATE objects SET name = 'main (app.c:10)', kind = 'heap', type_id = NULL, location_id = 1 WHERE id = 2;
UPDATE dsos SET has_lines = 0 WHERE id = 1;
