-- SPDX-License-Identifier: GPL-2.0-or-later
-- Thread 1 uses the pages 0 to 17. In the pages 18 to 27, the threads alternate: two pages of thread 2, two of thread
-- 1. Both use the pages 28 to 31. Thread 2 uses the pages 32 to 47. These are four ranges.
.read data/program.sql
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes) VALUES
  (20, 'mixture', 'static', 1, 1, 16777216, 196608, 0, 0);
WITH RECURSIVE n (p) AS (SELECT 0 UNION ALL SELECT p + 1 FROM n WHERE p < 47)
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited)
SELECT row_number() OVER (ORDER BY p, t.id), 1, t.id, t.id - 1, 1500000000 + p * 10 + t.id, 4210, 3, 2, 1, 3, 16777216 + p * 4096, 2, 1000000, 1, 8, 20, p * 4096,
  t.id - 1, 0, 2, 1
FROM n, threads AS t
WHERE CASE WHEN p < 16 THEN t.id = 1 WHEN p < 28 THEN t.id = 1 + (p - 16) / 2 % 2 WHEN p < 32 THEN 1 ELSE t.id = 2 END;
