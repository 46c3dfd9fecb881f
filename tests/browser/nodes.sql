-- SPDX-License-Identifier: GPL-2.0-or-later
-- 24,000 load and store samples with latencies, of 8 threads on a machine of 4 nodes. A sample is taken every 100 µs.
-- The objects are:
--
--   grid    64 MiB, placed on node 0 by main; each thread uses an eighth of its own
--   table   interleaved over all nodes, read by all threads at random; of a third of its samples the home is not known
--   queue   512 bytes, all threads write 8 bytes of their own
--   odd     objects and functions whose names contain markup or control characters; a page must show them as text
CREATE TEMP TABLE odd (id, name);
INSERT INTO odd VALUES
  (4, '<script>document.title = "taken"</script><img src=x onerror=document.title="taken">'),
  (5, 'say "it''s" & </style></textarea>' || char(10) || 'second line' || char(9) || 'tab'),
  (6, 'std::map<' || replace(printf('%.600c', 'x'), 'x', 'std::pair<int, T>, ') || 'int>'),
  (7, CAST(x'626164ff8fc0fe6e616d65' AS TEXT)),
  (8, 'right' || char(8238) || 'left' || char(27) || '[31mred' || char(7)),
  (9, '${alert(1)} %s {{x}} javascript:alert(1)');
INSERT INTO runs (id, command, directory, hostname, osrelease, arch, cpudesc, memdb_version, perf_version, perf_command,
  sampler, clock, started_realtime_ns, start_ns, end_ns, tracked, damaged, page_bytes, l1_bytes, l2_bytes, l3_bytes, caches, exit_code)
VALUES (1, './stencil <b>512</b> "two words"', '/home', 'box', '6.1.0', 'x86_64', 'A CPU', '0.1.0', '6.1', 'perf record', 'pebs', 'monotonic',
  1700000000000000000, 1000000000, 3400000000, 1, 0, 4096, 49152, 1048576, 33554432, 'kernel', 0);
INSERT INTO nodes VALUES (0, '0-1', 68719476736, 60000000000), (1, '2-3', 68719476736, 60000000000), (2, '4-5', 68719476736, 60000000000),
  (3, '6-7', 68719476736, 60000000000);
INSERT INTO node_distances
SELECT a.id, b.id, CASE WHEN a.id = b.id THEN 10 WHEN a.id / 2 = b.id / 2 THEN 16 ELSE 32 END FROM nodes AS a, nodes AS b;
WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 7)
INSERT INTO cpus SELECT i, i / 2, i, i / 4 FROM n;
INSERT INTO processes VALUES (1, NULL, 100, '/bin/stencil', './stencil', 1000000000, 3400000000, 1);
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8)
INSERT INTO threads SELECT i, 1, 100, 99 + i, iif(i = 1, 'stencil', 'worker/' || i), 1000000000 + i * 1000000, 3399000000 FROM n;
INSERT INTO thread_affinities
SELECT id, id, NULL, iif(id = 8, '0-7', CAST(id - 1 AS TEXT)), iif(id = 8, NULL, (id - 1) / 2), 'follower' FROM threads;
INSERT INTO selected_events VALUES
  (1, 'cpu/mem-loads/', 'access', 4, 461, 0, 1000, NULL, 'cpu', NULL),
  (2, 'page-faults', 'fault', 1, 2, 0, 1, NULL, 'software', NULL),
  (3, 'instructions:u', 'instructions', 0, 1, 0, 1000000, NULL, NULL, NULL);
INSERT INTO dsos VALUES (1, 'stencil', '/bin/stencil', '0a0b', 'file', 'ok', 1);
INSERT INTO symbols VALUES (1, 1, 'main', 'main', 4096, 4196), (2, 1, 'sweep', 'sweep', 4200, 4300), (3, 1, 'lookup', 'lookup', 4300, 4400),
  (4, 1, 'push', 'push', 4400, 4500);
INSERT INTO symbols SELECT id + 1, 1, name, 'odd', 5000 + id * 100, 5100 + id * 100 FROM odd;
INSERT INTO files VALUES (1, '/src/stencil.c'), (2, '/src/<i>odd</i> "dir"/a b.c');
INSERT INTO locations VALUES
  (1, 1, 1, 1, 4100, 4, 10, 3, 'main'), (2, 1, 2, 1, 4210, 10, 42, 9, 'sweep'),
  (3, 1, 3, 1, 4310, 10, 57, 9, 'lookup'), (4, 1, 4, 1, 4410, 10, 71, 9, 'push'), (11, 1, 1, 1, 4104, 8, 21, 3, 'fill'), (12, 1, 1, 1, 4112, 8, 21, 3, 'fill');
INSERT INTO locations SELECT id + 1, 1, id + 1, 2, 5010 + id * 100, 10, id, 1, name FROM odd;
INSERT INTO inlined_frames VALUES (1, 11, 1, 'main', 1, 12);
INSERT INTO call_paths VALUES (1, NULL, NULL, NULL, 0, 'root'), (2, 1, 1, 1, 1, 'user'), (3, 2, 2, 2, 2, 'user'), (4, 3, 3, 3, 3, 'user'),
  (5, 2, 4, 4, 2, 'user'), (11, 2, 11, 1, 2, 'user');
INSERT INTO call_paths SELECT id + 8, 2, id + 1, id + 1, 2, 'user' FROM odd;
INSERT INTO objects (id, name, kind, dso_id, symbol_id, call_path_id, location_id, thread_id, process_id,
  address_start, size_bytes, allocations, allocated_bytes, function, file_id, line) VALUES
  (1, 'grid', 'heap', NULL, NULL, 11, 11, NULL, 1, NULL, 67108864, 1, 67108864, 'fill', 1, 21),
  (2, 'table', 'heap', NULL, NULL, 11, 11, NULL, 1, NULL, 16777216, 1, 16777216, 'fill', 1, 22),
  (3, 'queue', 'static', 1, NULL, NULL, NULL, NULL, 1, 65536, 512, 0, 0, NULL, 1, 5);
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes, function, file_id, line)
SELECT id, name, 'static', 1, 1, 100000 + id * 8192, 8192, 0, 0, NULL, 2, id FROM odd;
INSERT INTO allocations VALUES
  (1, 1, 1, 1, NULL, (SELECT id FROM allocation_functions WHERE name = 'malloc'), 1001000000, NULL, 268435456, 335544320, 67108864, 11, NULL, NULL, 0, NULL, 1),
  (2, 2, 1, 1, NULL, (SELECT id FROM allocation_functions WHERE name = 'malloc'), 1002000000, NULL, 536870912, 553648128, 16777216, 11, NULL, NULL, 0, NULL, 1);

INSERT INTO types VALUES (1, 'struct slot', 'struct', 32);
INSERT INTO members VALUES (1, 1, 'head', 0, 8, 'long'), (2, 1, 'tail', 8, 8, 'long'), (3, 1, 'lock', 16, 4, 'int'), (4, 1, NULL, 20, 12, NULL);
UPDATE objects SET type_id = 1, type_source = 'declared', type_start = 0, type_repeats = 1 WHERE name = 'queue';

-- One row of access_kinds for each combination: its id is 1 + store + 2 * level + 8 * (CPU's node) + 32 * home.
-- store: 1 for a store. level, 0 to 3: L1, L3, local memory, remote memory.
WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 127)
INSERT INTO access_kinds (id, evsel_id, addr_source, memory_opcode, memory_level, remote, access_bytes, page_bytes, cpu_node_id,
  home_node_id, home_source)
SELECT 1 + i, 1, 1, 1 + i % 2,
  (SELECT id FROM memory_levels WHERE name = CASE i / 2 % 4 WHEN 0 THEN 'L1' WHEN 1 THEN 'L3' WHEN 2 THEN 'Local RAM' ELSE 'Remote RAM (1 hop)' END),
  i / 2 % 4 = 3, 8, 4096, i / 8 % 4, i / 32, 2
FROM n;
INSERT INTO access_kinds (id, evsel_id, page_bytes, cpu_node_id, home_node_id, home_source, first)
SELECT 129 + id, 2, 2097152, 0, id, 2, 1 FROM nodes;
-- The rows with ids from 133 on are copies of rows 1 to 32 whose home is not known.
INSERT INTO access_kinds (id, evsel_id, addr_source, memory_opcode, memory_level, remote, access_bytes, page_bytes, cpu_node_id, home_source)
SELECT 132 + id, evsel_id, addr_source, memory_opcode, memory_level, remote, access_bytes, page_bytes, cpu_node_id, 0
FROM access_kinds
WHERE id <= 32;
INSERT INTO instructions (id, ip, location_id, symbol_id, dso_id)
SELECT id, offset, id, symbol_id, 1 FROM locations;
CREATE TEMP TABLE made AS
WITH RECURSIVE
  n (i, random) AS (
    SELECT 1, 48271
    UNION ALL
    SELECT i + 1, random * 48271 % 2147483647 FROM n WHERE i < 24000
  )
SELECT i, random / 7 % 1000 AS dice, random / 7000 % 1000 / 1000.0 + random / 7000000 % 300 / 300000.0 AS part,
  iif(i < 2400, 1, 1 + i % 8) AS thread
FROM n;
CREATE TEMP TABLE used AS
SELECT m.*, CASE WHEN i < 2400 OR dice < 520 THEN 1 WHEN dice < 860 THEN 2 WHEN dice < 930 THEN 3 ELSE 4 + dice % 6 END AS object
FROM made AS m;
CREATE TEMP TABLE placed AS
SELECT u.*, (u.thread - 1) / 2 AS node, o.size_bytes,
  CASE
    WHEN i < 2400 THEN CAST(i / 2400.0 * o.size_bytes AS INTEGER) / 8 * 8
    WHEN object = 1 THEN CAST((u.thread - 1 + part * 0.95) / 8 * o.size_bytes AS INTEGER) / 8 * 8
    WHEN object = 3 THEN (u.thread - 1) * 8
    ELSE min(CAST(part * o.size_bytes AS INTEGER) / 8 * 8, o.size_bytes - 8)
  END AS offset,
  i < 2400 OR object = 3 OR (object = 1 AND i % 5 = 0) AS store
FROM used AS u
JOIN objects AS o ON o.id = u.object;
CREATE TEMP TABLE homed AS
SELECT p.*, iif(object = 2, offset / 4096 % 4, 0) AS home FROM placed AS p;
CREATE TEMP TABLE served AS
SELECT h.*, CASE WHEN i * 7 % 10 < 4 THEN 0 WHEN i * 7 % 10 < 6 THEN 1 WHEN node = home THEN 2 ELSE 3 END AS level FROM homed AS h;
INSERT INTO sample_data
SELECT i, 1000000000 + i * 100000, thread, thread - 1,
  CASE object WHEN 1 THEN iif(i < 2400, 11, 2) WHEN 2 THEN 3 WHEN 3 THEN 4 ELSE object + 1 END, iif(object = 2 AND i % 3 = 0, 133, 1 + 32 * home) + store + 2 * level + 8 * node,
  CASE object WHEN 1 THEN iif(i < 2400, 11, 3) WHEN 2 THEN 4 WHEN 3 THEN 5 ELSE object + 8 END,
  CASE object WHEN 1 THEN 268435456 WHEN 2 THEN 536870912 WHEN 3 THEN 65536 ELSE 100000 + object * 8192 END + offset, object, iif(object < 3, object, NULL), offset,
  1000, CASE level WHEN 0 THEN 4 + i % 3 WHEN 1 THEN 40 + i % 23 WHEN 2 THEN 110 + i % 89 ELSE 260 + i * 7 % 340 END, NULL, NULL
FROM served;
WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 31)
INSERT INTO fault_data
SELECT 1 + i, 1001000000 + i * 1000000, 1, 0, iif(i % 2, 12, 11), 129, 11, 268435456 + i * 2097152, 1, 1, i * 2097152 FROM n;
INSERT INTO losses (id, source, what, count, detail) VALUES (1, 'perf', 'lost samples', 12, '<b>not</b> bold');
