-- SPDX-License-Identifier: GPL-2.0-or-later
-- Load samples with latencies. worker loads from table (L1 10 and 20; Local RAM 300; Remote RAM 500). main loads from
-- table (L3 50) and counter (L1 4). One sample has no level, one has no object, and one was not measured.
.read data/program.sql
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, weight, data_src, memory_opcode, memory_level, memory_lock, remote, object_id, object_reason,
  allocation_id, object_offset, cpu_node_id, home_node_id, home_source)
SELECT column1, 3, column2, column2 - 1, 1500000000 + column1, column3 + 4000, column3, iif(column3 = 1, 1, 2), 1, 2,
  column4, 1, 1000, column5, 1000 + column1, 1, (SELECT id FROM memory_levels WHERE name = column6), 2,
  column6 LIKE 'Remote%', column7, iif(column7 IS NULL, 3, NULL), iif(column7 = 1, 1, NULL),
  iif(column7 = 1, column4 - 1048576, 0), column2 - 1, column8, iif(column8 IS NULL, 0, 2)
FROM (VALUES
  (1, 2, 3, 1048576, 10, 'L1', 1, 0),
  (2, 2, 3, 1048584, 20, 'L1', 1, 0),
  (3, 2, 3, 1048592, 300, 'Local RAM', 1, 1),
  (4, 2, 2, 1048600, 500, 'Remote RAM (1 hop)', 1, 0),
  (5, 1, 1, 1048608, 50, 'L3', 1, 0),
  (6, 1, 1, 65536, 4, 'L1', 2, 0),
  (7, 2, 2, 99999999, 7, NULL, NULL, NULL),
  (8, 2, 3, 1048616, 0, 'L1', 1, 0));
