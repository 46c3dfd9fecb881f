-- SPDX-License-Identifier: GPL-2.0-or-later
-- Three objects have the same name. The query must show the object with the largest cost, which is not the first
-- object.
.read data/numa.sql
UPDATE objects SET name = 'pool' WHERE id IN (1, 10, 11);
DELETE FROM sample_data WHERE object_id = 10 AND id > 4;
