-- SPDX-License-Identifier: GPL-2.0-or-later
-- "interleaved" has the same number of samples for each node, but samples of the next node represent a hundred times
-- as many accesses. So it is not spread evenly.
.read data/advice.sql
DELETE FROM sample_data WHERE object_id <> 23;
UPDATE sample_data SET period = 100000000 WHERE kind_id IN (SELECT id FROM access_kinds WHERE home_node_id = (cpu_node_id + 1) % 4);
