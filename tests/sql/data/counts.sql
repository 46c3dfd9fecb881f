-- SPDX-License-Identifier: GPL-2.0-or-later
-- Every access was counted. One thread makes 400,000 accesses to "table", in 200,000 counts of 1 to 3 accesses. Before and after that, within a
-- second, two threads write to "pair", each to its own 8 bytes: four counts of a million accesses each. For 400,000 of these accesses, the line
-- moves between the threads. All counts were written on CPU 0, which does not show where the accesses were made. Thread 1 also reads both parts
-- once. Besides, 30 million instructions were counted.
.read data/program.sql
UPDATE runs SET sampler = 'exact';
UPDATE selected_events SET sample_period = 1 WHERE id = 3;
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes) VALUES
  (10, 'pair', 'static', 1, 1, 8388608, 16, 0, 0);
INSERT INTO access_kinds (id, evsel_id, addr_source, memory_opcode, access_bytes) VALUES (1, 3, 1, 2, 8);
INSERT INTO instructions (id, ip) VALUES (1, 4210);
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
INSERT INTO sample_data (id, time, thread_id, instruction_id, kind_id, address, object_id, object_offset, period)
SELECT 4 + i, 1500000000 + i, 1, 1, 1, 1048576 + i % 1024 * 8, 1, i % 1024 * 8, 1 + i % 3 FROM n;
WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 7)
INSERT INTO sample_data (id, time, thread_id, cpu, instruction_id, kind_id, address, object_id, object_offset, period)
SELECT iif(i < 4, 1, 200001) + i, 1500000000 + i * 100000000, 1 + i % 2, 0, 1, 1, 8388608 + i % 2 * 8, 10, i % 2 * 8, 1000000 FROM n;
INSERT INTO access_kinds (id, evsel_id, addr_source, memory_opcode, access_bytes) VALUES (2, 3, 1, 1, 8);
INSERT INTO sample_data (id, time, thread_id, instruction_id, kind_id, address, object_id, object_offset, period)
SELECT 200009 + value, 2300000000, 1, 1, 2, 8388608 + value * 8, 10, value * 8, 1 FROM generate_series(0, 1);
INSERT INTO access_kinds (id, evsel_id, addr_source, memory_opcode, memory_snoop, access_bytes) VALUES (3, 3, 1, 2, 7, 8);
UPDATE sample_data SET period = 800000 WHERE id IN (1, 2);
INSERT INTO sample_data (id, time, thread_id, cpu, instruction_id, kind_id, address, object_id, object_offset, period)
SELECT 200011 + value, 1500000000 + value * 100000000, 1 + value, 0, 1, 3, 8388608 + value * 8, 10, value * 8, 200000 FROM generate_series(0, 1);
INSERT INTO access_kinds (id, evsel_id, addr_source) VALUES (4, 4, 0);
INSERT INTO sample_data (id, time, thread_id, instruction_id, kind_id, period)
SELECT 200013 + value, 1500000000 + value * 10000000, 1, 1, 4, 1000000 FROM generate_series(0, 29);
