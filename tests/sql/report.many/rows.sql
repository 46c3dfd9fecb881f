-- SPDX-License-Identifier: GPL-2.0-or-later
-- Forty objects with 5 waits each. The report must have one row for each of ten objects, and must say that the other
-- thirty have 75 % of the cost together.
.read data/program.sql
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes)
SELECT 20 + i, 'array ' || i, 'static', 1, 1, i << 24, 1048576, 0, 0 FROM n;
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited, time_kind)
SELECT i, 1, 2, 1, 1500000000 + i, 4210, 3, 2, 1, 3, (1 + i % 40) << 24, 2, 1000000, 1, 8, 21 + i % 40, 0, 1, 1, 2, 1, 1
FROM n;
