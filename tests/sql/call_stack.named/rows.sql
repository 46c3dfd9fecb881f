-- SPDX-License-Identifier: GPL-2.0-or-later
-- Two objects have the same name, and only the second has samples. The query must print the stack of the second.
.read data/timer.sql
UPDATE objects SET name = 'pool' WHERE id IN (1, 3);
UPDATE sample_data SET object_id = 3 WHERE object_id = 1;
