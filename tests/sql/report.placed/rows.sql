-- SPDX-License-Identifier: GPL-2.0-or-later
-- Two threads fill objects by a function of libc, and the callers of it are known in one of them only: `halves` was placed by main in 5 of its 12 pages, and by libc in the
-- others, so main placed it. `most` was placed by main in one page of 12, which does not say who placed the others.
.read data/program.sql
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes) VALUES
  (90, 'halves', 'heap', NULL, 1, 1 << 24, 49152, 1, 49152),
  (91, 'most', 'heap', NULL, 1, 1 << 25, 49152, 1, 49152);
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited, missed, time_kind)
SELECT value, 1, 1, 0, 1500000000 + 500000 * value, 4100, 1, 1, 1, 2, (1 << 24 + value % 2) + 64 * value, 2, 1000000, 1, 8,
  90 + value % 2, 64 * value, 0, 0, 1, 1, 1, 1
FROM generate_series(0, 279);
INSERT INTO page_faults (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, address, object_id, object_offset,
  memory_opcode, page_bytes, cpu_node_id, home_node_id, home_source, first)
SELECT value + 1, 2, 1 + NOT own, 0, 1400000000 + value, iif(own, 4100, 512), iif(own, 1, 4), iif(own, 1, NULL), iif(own, 1, 2), (1 << 24 + most) + 4096 * (value / 2), 90 + most, 4096 * (value / 2),
  2, 4096, 0, 0, 3, 1
FROM (SELECT value, value % 2 AS most, value / 2 < iif(value % 2, 1, 5) AS own FROM generate_series(0, 23));
