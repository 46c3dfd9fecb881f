-- SPDX-License-Identifier: GPL-2.0-or-later
-- Every access is counted, and no time is measured: `table` has 6 rows with 402,000 accesses, and `counter` has 250
-- rows with one access each, so `table` has 99.94 % of the accesses and 2.3 % of the rows. The threads 1 and 2 write
-- the same bytes of `table` within a second; for these stores, the line moves between them. There is no sampling error.
.read data/periods.sql
UPDATE runs SET sampler = 'exact';
UPDATE selected_events SET sample_period = 1, sample_freq = NULL WHERE id = 3;
DELETE FROM sample_data WHERE id > 8 AND id % 4 <> 3;
UPDATE sample_data SET weight = NULL;
UPDATE sample_data SET object_id = 2, allocation_id = NULL, address = 65536, object_offset = 0, period = 1 WHERE id % 4 = 3;
UPDATE sample_data SET thread_id = 1, cpu = 0 WHERE id IN (2, 6);
UPDATE sample_data SET time = 1500500000 WHERE object_id = 1 AND thread_id = 2;
CREATE TEMP TABLE most AS SELECT max(id) AS id FROM access_kinds;
INSERT INTO access_kinds (id, evsel_id, addr_source, memory_opcode, access_bytes, memory_level, memory_snoop, cpu_node_id, home_node_id, home_source)
SELECT m.id + k.id, evsel_id, addr_source, memory_opcode, access_bytes, memory_level, 7, cpu_node_id, home_node_id, home_source FROM access_kinds AS k, most AS m;
UPDATE sample_data SET kind_id = kind_id + (SELECT id FROM most) WHERE object_id = 1 AND kind_id IN (SELECT id FROM access_kinds WHERE memory_opcode = 2);
DROP TABLE most;
