-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    shared_lines
-- summary: Cache lines that several threads use and at least one of them writes to: true or false sharing.
-- grain:   one row per process and cache line of 64 bytes with a sampled store and samples of at least two threads
-- source:  Torrellas, Lam & Hennessy 1994; perf c2c. True sharing: some byte is used by two threads and written by one of them.
--          False sharing: no byte is; the threads only meet in the line
-- note:    from drawn_samples: a byte that two threads share but that was never sampled from both is not seen, so "false" is a
--          suspicion that grows with accesses. An access whose size is not known counts as one byte
-- note:    together 0: one thread was done with the line before the others came, as of data that one thread prepares: not a cost
-- column:  process_id      INTEGER  processes.id; NULL: not known
-- column:  address         INTEGER  first byte of the line
-- column:  object_id       INTEGER  objects.id of the object with most accesses in it; NULL: no object
-- column:  object_accesses INTEGER  that object's accesses in it (count)
-- column:  objects         INTEGER  different objects in it (count): more than one may share a line without knowing
-- column:  threads         INTEGER  threads that access it (count)
-- column:  writers         INTEGER  threads that write to it (count)
-- column:  accesses        INTEGER  accesses (count)
-- column:  stores          INTEGER  those that write (count)
-- column:  sharing         TEXT     "true", "false"
-- column:  together        INTEGER  1: two threads, one of them writing, used it in overlapping times
-- column:  waits           INTEGER  samples that waited for their address (count, timer or cycles)
-- column:  wait_ns         INTEGER  their time, ns (timer)
-- column:  weighted        INTEGER  accesses with a weight (count, hardware)
-- column:  weight          INTEGER  sum of the weights, core cycles
-- column:  hitm            INTEGER  accesses that found the line modified in another cache (count, hardware)
-- column:  nodes           INTEGER  different nodes of the CPUs that access it (count); 0: not known
CREATE VIEW shared_lines AS
WITH
  used AS ( -- bits of a line's bytes: each thread's reads and writes
    SELECT
      process_id, address >> 6 AS line, thread_id, object_id, cpu_node_id, time, reads, writes, waits, wait_ns, weighted, weight, hitm,
      iif(access_bytes BETWEEN 2 AND 63, (1 << access_bytes) - 1, iif(access_bytes >= 64, -1, 1)) << (address & 63) AS bits
    FROM drawn_samples
  ),
  candidates AS (
    SELECT process_id, line
    FROM used
    GROUP BY process_id, line
    HAVING min(thread_id) < max(thread_id) AND max(writes) = 1
  ),
  chosen AS MATERIALIZED (
    SELECT u.*
    FROM used AS u
    JOIN candidates AS c ON c.process_id IS u.process_id AND c.line = u.line
  ),
  pieces AS MATERIALIZED ( -- equal accesses once
    SELECT process_id, line, thread_id, bits, max(reads) AS reads, max(writes) AS writes, min(time) AS first, max(time) AS last
    FROM chosen
    GROUP BY process_id, line, thread_id, bits
  ),
  spans AS MATERIALIZED (
    SELECT process_id, line, thread_id, min(first) AS first, max(last) AS last, max(writes) AS writes
    FROM pieces
    GROUP BY process_id, line, thread_id
  ),
  meeting AS ( -- two threads, one of them writing, at the same bytes
    SELECT DISTINCT a.process_id AS process_id, a.line AS line
    FROM pieces AS a
    JOIN pieces AS b ON b.process_id IS a.process_id AND b.line = a.line AND b.thread_id <> a.thread_id AND (a.bits & b.bits) <> 0
    WHERE a.writes
  ),
  overlapping AS ( -- two threads, one of them writing, at the same time
    SELECT DISTINCT a.process_id AS process_id, a.line AS line
    FROM spans AS a
    JOIN spans AS b ON b.process_id IS a.process_id AND b.line = a.line AND b.thread_id <> a.thread_id AND a.first <= b.last AND b.first <= a.last
    WHERE a.writes
  ),
  owners AS (
    SELECT process_id, line, object_id, count(*) AS accesses,
      row_number() OVER (PARTITION BY process_id, line ORDER BY count(*) DESC, object_id) AS place
    FROM chosen
    GROUP BY process_id, line, object_id
  )
SELECT
  c.process_id AS process_id,
  c.line << 6 AS address,
  o.object_id AS object_id,
  o.accesses AS object_accesses,
  count(DISTINCT c.object_id) AS objects,
  count(DISTINCT c.thread_id) AS threads,
  count(DISTINCT iif(c.writes, c.thread_id, NULL)) AS writers,
  count(*) AS accesses,
  sum(c.writes) AS stores,
  iif(m.line IS NOT NULL, 'true', 'false') AS sharing,
  t.line IS NOT NULL AS together,
  sum(c.waits) AS waits,
  sum(c.wait_ns) AS wait_ns,
  sum(c.weighted) AS weighted,
  sum(c.weight) AS weight,
  sum(c.hitm) AS hitm,
  count(DISTINCT c.cpu_node_id) AS nodes
FROM chosen AS c
LEFT JOIN owners AS o ON o.process_id IS c.process_id AND o.line = c.line AND o.place = 1
LEFT JOIN meeting AS m ON m.process_id IS c.process_id AND m.line = c.line
LEFT JOIN overlapping AS t ON t.process_id IS c.process_id AND t.line = c.line
GROUP BY c.process_id, c.line;
