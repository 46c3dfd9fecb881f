-- SPDX-License-Identifier: GPL-2.0-or-later
-- At line 11, a parallel region has the name of the function around it. At line 12, the function itself has samples, too, so its region keeps its own name.
.read data/program.sql
INSERT INTO symbols VALUES (20, 1, 'solve._omp_fn.0', 'solve._omp_fn.0', 4140, 4150), (21, 1, 'solve', 'solve', 4150, 4160), (22, 1, 'solve._omp_fn.1', 'solve._omp_fn.1', 4160, 4170), (23, 1, 'solve._omp_fn.2', 'solve._omp_fn.2', 4170, 4180);
INSERT INTO locations VALUES (20, 1, 20, 1, 4140, 54, 11, 3, 'solve._omp_fn.0'), (21, 1, 21, 1, 4150, 64, 12, 3, 'solve'), (22, 1, 22, 1, 4160, 74, 12, 3, 'solve._omp_fn.1'), (23, 1, 23, NULL, 4170, 84, NULL, NULL, 'solve._omp_fn.2');
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes) VALUES (80, 'field', 'static', 1, 1, 1 << 20, 81920, 0, 0);
WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 279)
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited, missed, time_kind)
SELECT 1 + i, 1, 1, 0, 1500000000 + 500000 * i, 4140 + 10 * (i % 4), 20 + i % 4, 20 + i % 4, 1, 2, (1 << 24) + 64 * i, 2, 1000000, 1, 8, 80, 0, 0, 0, 0, 1, 1, 1
FROM n;
