-- SPDX-License-Identifier: GPL-2.0-or-later
-- Objects in four forked processes; each process has a copy at the same addresses:
-- copies  each process has one thread, which uses its entire copy: private in each process
-- blocks  the processes 1 and 2 have two threads, and each thread uses one half of the copy. In process 2, the halves are
--     exchanged. The pattern must still be "blocks", not "all over"
-- moved   like "blocks", but at different addresses in process 2
.read data/program.sql
INSERT INTO processes SELECT value, 1, 100 + value, '/bin/app', 'app', 1000000000, NULL, 1 FROM json_each('[2, 3, 4]');
INSERT INTO threads VALUES (3, 2, 102, 102, 'app', 1100000000, NULL), (4, 2, 102, 103, 'app', 1100000000, NULL), (5, 3, 103, 103, 'app', 1100000000, NULL),
  (6, 4, 104, 104, 'app', 1100000000, NULL);
INSERT INTO objects (id, name, kind, address_start, size_bytes, allocations, allocated_bytes) VALUES
  (21, 'copies', 'static', 1 << 24, 65536, 0, 0), (22, 'blocks', 'static', 2 << 24, 65536, 0, 0), (23, 'moved', 'heap', NULL, 65536, 2, 131072);
CREATE TEMP TABLE uses (object_id, k, thread_id, place);
WITH RECURSIVE n (k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM n WHERE k < 399)
INSERT INTO uses
SELECT 21, k, CASE k % 4 WHEN 0 THEN 1 WHEN 1 THEN 3 WHEN 2 THEN 5 ELSE 6 END, k * 26783 % 65536 & ~7 FROM n
UNION ALL
SELECT o.id, k, 1 + k % 4, ((k % 4 IN (1, 2)) * 32768 + k * 26783 % 32768 & ~7) + iif(o.id = 23 AND k % 4 > 1, 8388608, 0) FROM n, objects AS o WHERE o.id IN (22, 23);
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, address, addr_source, period,
  memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited)
SELECT row_number() OVER (ORDER BY k, object_id), 1, thread_id, 1, 1200000000 + k * 1000000, 4210, 3, 2, 1, ((object_id - 20) << 24) + place, 2, 1000000,
  1, 8, object_id, place & 65535, 1, 0, 2, 1
FROM uses;
