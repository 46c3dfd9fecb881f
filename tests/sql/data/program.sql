-- SPDX-License-Identifier: GPL-2.0-or-later
-- A program on a machine with two nodes. main fills a table, and worker reads it at random.
INSERT INTO runs (id, command, directory, hostname, osrelease, arch, cpudesc, memdb_version, perf_version, perf_command,
  sampler, clock, started_realtime_ns, start_ns, end_ns, tracked, damaged, page_bytes, l1_bytes, l2_bytes, l3_bytes, caches, exit_code)
VALUES (1, 'app -n 3', '/home', 'box', '6.1.0', 'x86_64', 'A CPU', '0.1.0', '6.1', 'perf record', 'timer', 'monotonic',
  1700000000000000000, 1000000000, 3500000000, 1, 0, 4096, 49152, 1048576, 33554432, 'kernel', 0);
INSERT INTO nodes VALUES (0, '0', 1000000, 500000), (1, '1', 1000000, 500000);
INSERT INTO node_distances VALUES (0, 0, 10), (0, 1, 20), (1, 0, 20), (1, 1, 10);
INSERT INTO cpus VALUES (0, 0, 0, 0), (1, 1, 0, 1);
INSERT INTO processes VALUES (1, NULL, 100, '/bin/app', 'app -n 3', 1000000000, 3500000000, 1);
INSERT INTO threads VALUES (1, 1, 100, 100, 'app', 1000000000, NULL), (2, 1, 100, 101, 'worker', 1100000000, 3400000000);
INSERT INTO selected_events VALUES
  (1, 'cpu-clock:u', 'time', 1, 0, 0, 1000000, NULL, 'software', NULL),
  (2, 'page-faults', 'fault', 1, 2, 0, 1, NULL, 'software', NULL),
  (3, 'cpu/mem-loads/', 'access', 4, 461, 0, 1000, NULL, 'cpu', NULL),
  (4, 'instructions:u', 'instructions', 0, 1, 0, 1000000, NULL, NULL, NULL);
INSERT INTO dsos VALUES
  (1, 'app', '/bin/app', '0a0b', 'file', 'ok', 1),
  (2, 'libc.so.6', '/lib/libc.so.6', '0c0d', 'file', 'no symbols', 0),
  (3, '[kernel.kallsyms]', '[kernel.kallsyms]', NULL, 'kernel', NULL, 0);
INSERT INTO symbols VALUES (1, 1, 'main', 'main', 4096, 4196), (2, 1, 'worker', 'worker', 4200, 4300);
INSERT INTO files VALUES (1, 'app.c');
INSERT INTO locations VALUES
  (1, 1, 1, 1, 4100, 4, 10, 3, 'main'),
  (2, 1, 2, 1, 4204, 4, 20, 3, 'worker'),
  (3, 1, 2, 1, 4210, 10, 5, 9, 'gather'),
  (4, 2, NULL, NULL, 512, NULL, NULL, NULL, NULL),
  (5, 3, NULL, NULL, -4096, NULL, NULL, NULL, NULL);
INSERT INTO inlined_frames VALUES (1, 3, 1, 'step', 1, 15), (2, 3, 2, 'worker', 1, 21);
INSERT INTO call_paths VALUES
  (1, NULL, NULL, NULL, 0, 'root'),
  (2, 1, 1, 1, 1, 'user'),
  (3, 2, 3, 2, 2, 'user'),
  (4, NULL, NULL, NULL, 0, 'truncated'),
  (5, 4, 4, NULL, 1, 'user');
INSERT INTO objects (id, name, kind, dso_id, symbol_id, call_path_id, location_id, thread_id, process_id,
  address_start, size_bytes, allocations, allocated_bytes, function, file_id, line) VALUES
  (1, 'table', 'heap', NULL, NULL, 3, 3, NULL, 1, NULL, 8192, 2, 12288, 'work', 1, 12),
  (2, 'counter', 'static', 1, NULL, NULL, NULL, NULL, 1, 65536, 8, 0, 0, NULL, NULL, NULL),
  (3, 'buf', 'heap', NULL, NULL, 5, 4, NULL, 1, NULL, 64, 1, 64, NULL, NULL, NULL);
INSERT INTO allocations VALUES
  (1, 1, 1, 1, NULL, (SELECT id FROM allocation_functions WHERE name = 'malloc'), 1200000000, NULL, 1048576, 1056768, 8192, 3, NULL, NULL, 0, NULL, 1),
  (2, 1, 1, 2, 1, (SELECT id FROM allocation_functions WHERE name = 'calloc'), 1300000000, 1800000000, 2097152, 2101248, 4096, 3, 2, NULL, 1, 'freed', 1),
  (3, 3, 1, 1, 1, 1, 1300000000, 1800000000, 3145728, 3145792, 64, 5, 2, NULL, 1, 'freed', 1);
