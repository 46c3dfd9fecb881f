-- SPDX-License-Identifier: GPL-2.0-or-later
-- Objects with 400 samples of four threads. Each object is used in a different way:
-- private, blocks  by one thread; by each thread in its own block
-- all over         by all threads at all places
-- overlapping      by each thread in a block that overlaps the next one by half
-- one writer       written by thread 1 and read by all threads
-- filled           written by thread 1, and later read by all threads
-- growing          at increasing addresses
-- few              like "all over", but with only 40 samples
.read data/program.sql
INSERT INTO threads VALUES (3, 1, 100, 102, 'worker', 1100000000, NULL), (4, 1, 100, 103, 'worker', 1100000000, NULL);
INSERT INTO objects (id, name, kind, address_start, size_bytes, allocations, allocated_bytes)
SELECT 20 + value, key, 'static', value << 24, 65536, 0, 0
FROM json_each('{"private": 1, "blocks": 2, "all over": 3, "overlapping": 4, "one writer": 5, "filled": 6, "growing": 7, "few": 8}');
CREATE TEMP TABLE uses AS -- k and the thread t count from 0; r is a random place in [0, 65536)
WITH RECURSIVE n (k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM n WHERE k < 399)
SELECT o.id AS object_id, o.name AS name, k, iif(o.name = 'private' AND k % 50, 0, k % 4) AS t, k * 26783 % 65536 AS r
FROM objects AS o, n
WHERE o.id > 20 AND (o.name <> 'few' OR k < 40);
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, address, addr_source, period,
  memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited)
SELECT row_number() OVER (ORDER BY k, object_id), 1, t + 1, 1, 1200000000 + k * 1000000, 4210, 3, 2, 1, ((object_id - 20) << 24) + place, 2, 1000000,
  1 + (t = 0 AND name = 'one writer' OR k < 100 AND name = 'filled'), 8, object_id, place, 1, 0, 2, 1
FROM (
  SELECT object_id, name, k, iif(name = 'filled' AND k < 100, 0, t) AS t,
    CASE name
      WHEN 'blocks' THEN t * 16384 + r / 4
      WHEN 'overlapping' THEN min(65535, t * 16384 + r * 3 / 8)
      WHEN 'growing' THEN k * 160
      ELSE r
    END & ~7 AS place
  FROM uses
);
