-- SPDX-License-Identifier: GPL-2.0-or-later
-- Names with scopes: the report shows "slots" of two classes, and "p" of two functions, with their scopes, and "q" without one. The arguments of a
-- template are shown only where nothing else tells the rows apart.
.read data/program.sql
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes) VALUES
  (80, 'Cache<3>::slots', 'static', 1, 1, 1 << 20, 8192, 0, 0), (81, 'Cache<4>::slots', 'static', 1, 1, 1 << 21, 8192, 0, 0), (82, 'kernel::p', 'stack', NULL, 1, NULL, 8, 0, 0), (83, '*kernel::p', 'stack', NULL, 1, NULL, 0, 0, 0),
  (84, 'other::q', 'stack', NULL, 1, NULL, 8, 0, 0), (85, 'Table<std::string, long>::rows', 'static', 1, 1, 1 << 22, 8192, 0, 0), (86, 'Table<std::string, int>::rows', 'static', 1, 1, 1 << 23, 8192, 0, 0);
WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 279)
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited, missed, time_kind)
SELECT 1 + i, 1, 1, 0, 1500000000 + 500000 * i, 4100, 1, 1, 1, 2, (1 << 24) + 64 * i, 2, 1000000, 1, 8, 80 + i % 7, 0, 0, 0, 1, 1, 1, 1
FROM n;
