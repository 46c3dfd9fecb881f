-- SPDX-License-Identifier: GPL-2.0-or-later
-- Objects of which nothing placed a page: a heap block and a local array without page faults (again), an array that is only read (zeros), one that is written between two read
-- faults (mixed), a static variable and a library's memory without page faults (beside, [heap outside blocks]). The fault of `table` shows that page faults were recorded.
.read data/program.sql
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes) VALUES
  (90, 'again', 'heap', NULL, 1, NULL, 65536, 1, 65536),
  (91, 'local', 'stack', NULL, 1, 1 << 22, 65536, 0, 0),
  (92, 'zeros', 'static', 1, 1, 1 << 23, 65536, 0, 0),
  (93, 'mixed', 'static', 1, 1, 1 << 24, 65536, 0, 0),
  (94, 'beside', 'static', 1, 1, 1 << 25, 64, 0, 0),
  (95, '[heap outside blocks]', 'mapping', NULL, 1, 1 << 26, 65536, 0, 0);
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited, missed, time_kind)
SELECT value, 1, 1, 0, 1500000000 + 500000 * value, 4100, 1, 1, 1, 2, (1 << 27) + 64 * value, 2, 1000000, iif(value % 7 = 3 AND value % 2, 2, 1), 8,
  iif(value % 7 = 6, 1, 90 + value % 7), 64 * value, 0, 0, 1, 1, 1, 1
FROM generate_series(0, 279);
INSERT INTO page_faults (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, address, object_id, object_offset,
  memory_opcode, page_bytes, cpu_node_id, home_node_id, home_source, first)
SELECT value + 1, 2, 1, 0, 1400000000 + value, 4100, 1, 1, 1, 1048576 + 4096 * value, iif(value < 2, 1, 92 + value % 2), 4096 * value, 1 + (value < 2), 4096, 0, 0, 3, value < 2
FROM generate_series(0, 9);
