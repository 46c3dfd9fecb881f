-- SPDX-License-Identifier: GPL-2.0-or-later
-- One file has two static functions named "worker": all accesses of the first are remote, and all accesses of the second
-- are local. Each function must have its own verdict.
.read data/program.sql
INSERT INTO symbols VALUES (7, 1, 'worker', 'worker', 5200, 5300);
INSERT INTO locations VALUES (17, 1, 7, 1, 5204, 4, 80, 3, 'worker');
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, weight, memory_opcode, object_id, object_offset, cpu_node_id, home_node_id, home_source)
SELECT i, 3, 2, 1, 1500000000 + i, iif(i%2,4204,5204), iif(i%2,2,17), iif(i%2,2,7), 1, 3, 65536, 1, 1000, 233, 1, 2, 0, 1, iif(i%2,0,1), 2 FROM n;
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, addr_source, period)
VALUES (2001, 4, 2, 1, 1600000000, 4204, 2, 2, 1, 0, 4000000), (2002, 4, 2, 1, 1600000000, 5204, 17, 7, 1, 0, 400000000);
