-- SPDX-License-Identifier: GPL-2.0-or-later
-- Timer samples of 1 ms on the two nodes of program.sql (distances 10 and 20). Thread 1 runs on node 0, thread 2 on
-- node 1. Ten pages make bins of two pages. Expected results, computed by hand:
--
-- interleaved  page p is on node p % 2, and each thread reads each page once: r = 5 5 5 5, δ = (5+5)·10 / (20·20) =
--     0.25 by access and by line, 10 of 20 remote (Wilson interval 29.93-70.07), imbalance 1, five bins of 4, all hot
--     (four bins would have less than 18 of 20)
-- local        thread 1 reads 9 times at the start, thread 2 once at the end, each on its own node: δ = 0; bin 0 has
--     90 % and is hot, bin 4 is not
-- flags        each thread writes 8 bytes of its own in one line, 3 times in turn: false sharing; all homes are on
--     node 0: imbalance 2, δ = 3·10 / (6·20) = 0.25
-- counter      both threads write to the same line in turn, thread 2 the bytes 4 to 11: true sharing; found modified
--     4 times
-- handed       thread 1 writes, and thread 2 reads after that: both use it, but not at the same time
--
-- The run: r = 21 5 12 6 of 44, δ = (5+12)·10 / (44·20) = 0.1932; by line 9 5 8 6 of 28, (5+8)·10 / (28·20) = 0.2321;
--     imbalance 33 / 22 = 1.5; NUMA time 17 of 44 ms, Wilson interval 25.72-53.38.
.read data/program.sql
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes) VALUES
  (10, 'interleaved', 'static', 1, 1, 2097152, 40960, 0, 0),
  (11, 'local', 'static', 1, 1, 4194304, 40960, 0, 0),
  (12, 'flags', 'static', 1, 1, 8388608, 64, 0, 0),
  (13, 'counter', 'static', 1, 1, 8388672, 64, 0, 0),
  (14, 'handed', 'static', 1, 1, 8388736, 64, 0, 0);
CREATE TEMP TABLE numa (object_id, thread_id, object_offset, home_node_id, opcode, snoop, thread_pinned, page_pinned);
WITH RECURSIVE pages (p) AS (SELECT 0 UNION ALL SELECT p + 1 FROM pages WHERE p < 9)
INSERT INTO numa SELECT 10, t.id, p * 4096, p % 2, 1, NULL, 1, 1 FROM pages, threads AS t WHERE t.id <= 2 ORDER BY p, t.id;
WITH RECURSIVE times (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM times WHERE i < 9)
INSERT INTO numa SELECT 11, 1, 0, 0, 1, NULL, 0, 1 FROM times;
INSERT INTO numa VALUES
  (11, 2, 40952, 1, 1, NULL, 0, 1),
  (12, 1, 0, 0, 2, NULL, 0, 0), (12, 2, 8, 0, 2, NULL, 0, 0), (12, 1, 0, 0, 2, NULL, 0, 0), (12, 2, 8, 0, 2, NULL, 0, 0),
  (12, 1, 0, 0, 2, NULL, 0, 0), (12, 2, 8, 0, 2, NULL, 0, 0),
  (13, 1, 0, 0, 2, 4, 1, 0), (13, 2, 4, 0, 3, 4, 1, 0), (13, 1, 0, 0, 2, 4, 1, 0), (13, 2, 4, 0, 3, 4, 1, 0),
  (14, 1, 0, 0, 2, NULL, NULL, NULL), (14, 1, 8, 0, 2, NULL, NULL, NULL),
  (14, 2, 0, 0, 1, NULL, NULL, NULL), (14, 2, 8, 0, 1, NULL, NULL, NULL);
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, memory_snoop, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source,
  waited, thread_pinned, page_pinned)
SELECT n.rowid, 1, n.thread_id, n.thread_id - 1, 1500000000 + n.rowid * 1000000, 4210, 3, 2, 1, 3, o.address_start + n.object_offset,
  2, 1000000, n.opcode, n.snoop, 8, n.object_id, n.object_offset, n.thread_id - 1, n.home_node_id, 2, 1, n.thread_pinned, n.page_pinned
FROM numa AS n
JOIN objects AS o ON o.id = n.object_id;
DROP TABLE numa;
INSERT INTO thread_affinities VALUES
  (1, 1, NULL, '0', 0, 'follower'), (2, 1, 1500000000, '0', 0, 'follower'), (3, 2, 1100000000, '0-1', NULL, 'follower'),
  (4, 2, 1600000000, '1', 1, 'pthread_setaffinity_np');
