-- SPDX-License-Identifier: GPL-2.0-or-later
-- Four nodes with one CPU each, and node 4 with memory only. Distances are 10 within a node, 30 to node 4, and 20
-- between other nodes. Each object has 200 pages (800 KiB) and 400 samples:
-- serial       all homes on node 0, read from the nodes 0 to 3; thread 1 touched all pages first, in main: parallel
--     initialisation helps
-- nearly       like serial, but only 199 of 200 pages are on node 0: the same advice
-- moved        first touched on node 0 by thread 1, later moved to node 2: the advice must name node 2
-- interleaved  page p on node p % 4, read by all threads: remote by design, no advice
-- other        on node 3, read from node 1 only
-- far          on node 4, where initialisation cannot help
-- local        each thread reads pages on its own node: no row
-- unknown      homes are known for 8 of 400 samples: no row
.read data/program.sql
DELETE FROM nodes; DELETE FROM node_distances; DELETE FROM cpus; DELETE FROM threads WHERE id = 2;
INSERT INTO nodes VALUES (0, '0', 1000000, 500000), (1, '1', 1000000, 500000), (2, '2', 1000000, 500000), (3, '3', 1000000, 500000), (4, '', 1000000, 500000);
INSERT INTO node_distances SELECT a.id, b.id, CASE WHEN a.id = b.id THEN 10 WHEN b.id = 4 OR a.id = 4 THEN 30 ELSE 20 END FROM nodes AS a, nodes AS b;
INSERT INTO cpus SELECT id, id, 0, id FROM nodes WHERE id < 4;
INSERT INTO threads VALUES (2, 1, 100, 101, 'w', 1000000000, NULL), (3, 1, 100, 102, 'w', 1000000000, NULL), (4, 1, 100, 103, 'w', 1000000000, NULL);
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes)
SELECT column1, column2, 'static', 1, 1, column1 << 24, 819200, 0, 0
FROM (VALUES (20, 'serial'), (21, 'nearly'), (22, 'moved'), (23, 'interleaved'), (24, 'other'), (25, 'far'), (26, 'local'), (27, 'unknown'));
CREATE TEMP TABLE use (object_id, page, node, home);
WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 399)
INSERT INTO use
SELECT o.id, i / 2 % 200, CASE o.id WHEN 24 THEN 1 ELSE i % 4 END,
  CASE o.name WHEN 'serial' THEN 0 WHEN 'nearly' THEN iif(i / 2 % 200 = 7, 1, 0) WHEN 'moved' THEN 2 WHEN 'interleaved' THEN i / 4 % 4 WHEN 'other' THEN 3
    WHEN 'far' THEN 4 WHEN 'local' THEN i % 4 WHEN 'unknown' THEN iif(i < 8, (i + 1) % 4, NULL) END
FROM n, objects AS o WHERE o.id >= 20;
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited)
SELECT u.rowid, 1, u.node + 1, u.node, 1500000000 + u.rowid * 1000000, 4210, 3, 2, 1, 3, o.address_start + u.page * 4096, 2, 1000000, 1, 8,
  u.object_id, u.page * 4096, u.node, u.home, 2, 1
FROM use AS u JOIN objects AS o ON o.id = u.object_id;
DROP TABLE use;
WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 199)
INSERT INTO page_faults (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, address, object_id,
  object_offset, cpu_node_id, home_node_id, home_source, first)
SELECT 200 * (o.id - 20) + i + 1, 2, 1, 0, 1100000000 + i, 4100, 1, 1, 1, o.address_start + i * 4096, o.id, i * 4096, 0, iif(o.id = 21 AND i = 7, 1, 0), 3, 1
FROM n, objects AS o WHERE o.id BETWEEN 20 AND 22 ORDER BY o.id, i;
