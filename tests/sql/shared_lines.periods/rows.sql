-- SPDX-License-Identifier: GPL-2.0-or-later
-- Two threads write to their own 8 bytes of one line: four samples have a period of 1000 and a latency of 300, and one has
-- a period of 4000 and a latency of 100. These are 8,000 accesses of (4000 * 300 + 4000 * 100) / 8000 = 200 cycles. One
-- of the threads also reads other lines of the object, in five samples with a period of 100,000. So 1.6 % of 508,000
-- accesses are to the shared line, although it has half of the samples.
.read data/program.sql
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, weight, data_src, memory_opcode, object_id, allocation_id, object_offset, cpu_node_id, home_node_id, home_source)
SELECT column1, 3, column2, column2 - 1, 1500000000 + column1, 4003, 3, 2, 1, 2, 1048576 + column3, 1, column4, column5, 1000 + column1, column6, 1, 1,
  column3, column2 - 1, 0, 2
FROM (VALUES
  (1, 1, 0, 1000, 300, 2), (2, 2, 8, 1000, 300, 2), (3, 1, 0, 1000, 300, 2), (4, 2, 8, 1000, 300, 2), (5, 1, 0, 4000, 100, 2),
  (6, 1, 128, 100000, 10, 1), (7, 1, 192, 100000, 10, 1), (8, 1, 256, 100000, 10, 1), (9, 1, 320, 100000, 10, 1), (10, 1, 384, 100000, 10, 1));
