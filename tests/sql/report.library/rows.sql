-- SPDX-License-Identifier: GPL-2.0-or-later
-- 200 waits, none of them in the program's own sources: 120 in memcpy of libc, which main calls through a template of the C++ library
-- that is not inlined; 80 in another such template, whose call stacks end early.
.read data/program.sql
INSERT INTO symbols VALUES (10, 2, 'memcpy', 'memcpy', 600, 700), (11, 1, 'std::copy', '_ZSt4copy', 4300, 4400), (12, 1, 'std::sort', '_ZSt4sort', 4400, 4500);
INSERT INTO files VALUES (2, './string/memcpy.S'), (3, '/opt/gcc/include/c++/13/bits/stl_algobase.h'), (4, '/usr/include/c++/13/bits/stl_algo.h');
INSERT INTO locations VALUES
  (10, 2, 10, 2, 610, 4, 544, 3, 'memcpy'),
  (11, 1, 11, 3, 4310, 4, 400, 3, 'std::copy'),
  (12, 1, 12, 4, 4410, 4, 1870, 3, 'std::sort');
INSERT INTO call_paths VALUES (10, 2, 11, 11, 2, 'user'), (11, 10, 10, 10, 3, 'user'), (12, 4, 12, 12, 1, 'user');
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes)
VALUES (90, 'data', 'static', 1, 1, 1 << 24, 1 << 20, 0, 0);
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited, missed, time_kind)
SELECT i, 1, 1, 0, 1500000000 + 500000 * i, iif(i > 120, 4410, 610), iif(i > 120, 12, 10), iif(i > 120, 12, 10), iif(i > 120, 1, 2), iif(i > 120, 12, 11),
  (1 << 24) + 64 * i, 2, 1000000, 1, 8, 90, 64 * i, 0, 0, 1, 1, 1, 1
FROM n;
