-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    shared_lines
-- summary: Cache lines that several threads use and at least one of them writes to: true or false sharing.
-- grain:   one row per process and cache line of 64 bytes with a sampled store and samples of at least two threads
-- source:  Torrellas, Lam & Hennessy 1994; perf c2c. True sharing: some byte is used by two threads and written by one of them.
--          False sharing: no byte is; the threads only meet in the line
-- note:    from drawn_samples: a byte that two threads share but that was never sampled from both is not seen, so "false" is a
--          suspicion that grows with accesses. An access whose size is not known counts as one byte
-- note:    an access that crosses into the next line counts in both
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
  drawn AS MATERIALIZED ( -- process 0: not known
    SELECT
      coalesce(process_id, 0) AS process, address >> 6 AS line, address & 63 AS place, max(1, min(coalesce(access_bytes, 1), 64)) AS bytes,
      thread_id, object_id, cpu_node_id, time, writes, waits, wait_ns, weighted, weight, hitm
    FROM drawn_samples
  ),
  used AS ( -- bits of a line's bytes; what crosses into the next line uses both
    SELECT *, ~(-1 << bytes) << place AS bits FROM drawn
    UNION ALL
    SELECT process, line + 1, 0, place + bytes - 64, thread_id, object_id, cpu_node_id, time, writes, waits, wait_ns, weighted, weight,
      hitm, ~(-1 << (place + bytes - 64))
    FROM drawn
    WHERE place + bytes > 64
  ),
  pieces AS MATERIALIZED ( -- of lines with a store and several threads: equal accesses once
    SELECT
      process, line, thread_id, object_id, cpu_node_id, bits, count(*) AS accesses, sum(writes) AS stores, min(time) AS first,
      max(time) AS last, sum(waits) AS waits, sum(wait_ns) AS wait_ns, sum(weighted) AS weighted, sum(weight) AS weight, sum(hitm) AS hitm
    FROM used
    WHERE (process, line) IN (SELECT process, line FROM used GROUP BY process, line HAVING min(thread_id) < max(thread_id) AND max(writes) = 1)
    GROUP BY process, line, thread_id, object_id, cpu_node_id, bits
  ),
  masks AS MATERIALIZED (
    SELECT
      process, line, bits, min(thread_id) AS first_thread, max(thread_id) AS last_thread,
      min(iif(stores > 0, thread_id, NULL)) AS first_writer, max(iif(stores > 0, thread_id, NULL)) AS last_writer
    FROM pieces
    WHERE thread_id IS NOT NULL
    GROUP BY process, line, bits
  ),
  spans AS MATERIALIZED (
    SELECT process, line, thread_id, min(first) AS first, max(last) AS last, sum(stores) AS stores
    FROM pieces
    GROUP BY process, line, thread_id
  ),
  parts AS (
    SELECT process, line, object_id, sum(accesses) AS accesses FROM pieces GROUP BY process, line, object_id
  ),
  owners AS (
    SELECT
      process, line, object_id, accesses, count(object_id) OVER (PARTITION BY process, line) AS objects,
      row_number() OVER (PARTITION BY process, line ORDER BY accesses DESC, object_id) AS place
    FROM parts
  ),
  facts AS ( -- each says a part of what there is to say of a line
    SELECT
      process, line, NULL AS object_id, NULL AS object_accesses, NULL AS objects, NULL AS threads, NULL AS writers,
      sum(accesses) AS accesses, sum(stores) AS stores, 0 AS meeting, 0 AS together, sum(waits) AS waits, sum(wait_ns) AS wait_ns,
      sum(weighted) AS weighted, sum(weight) AS weight, sum(hitm) AS hitm, count(DISTINCT cpu_node_id) AS nodes
    FROM pieces
    GROUP BY process, line
    UNION ALL
    SELECT process, line, object_id, accesses, objects, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL
    FROM owners
    WHERE place = 1
    UNION ALL
    SELECT process, line, NULL, NULL, NULL, count(thread_id), count(iif(stores > 0, thread_id, NULL)), NULL, NULL, 0, 0, NULL, NULL, NULL,
      NULL, NULL, NULL
    FROM spans
    GROUP BY process, line
    UNION ALL -- at the same bytes one thread writes and another is
    SELECT DISTINCT a.process, a.line, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, 0, NULL, NULL, NULL, NULL, NULL, NULL
    FROM masks AS a
    JOIN masks AS b ON b.process = a.process AND b.line = a.line AND (a.bits & b.bits) <> 0
    WHERE a.first_writer < a.last_writer OR a.first_writer <> b.first_thread OR a.first_writer <> b.last_thread
    UNION ALL -- at the same time one thread writes and another is there
    SELECT process, line, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1, NULL, NULL, NULL, NULL, NULL, NULL
    FROM (
      SELECT process, line, first, stores, max(last) OVER before AS last, max(iif(stores > 0, last, NULL)) OVER before AS last_store
      FROM spans
      WHERE thread_id IS NOT NULL
      WINDOW before AS (PARTITION BY process, line ORDER BY first ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    )
    WHERE first <= iif(stores > 0, last, last_store)
  )
SELECT
  nullif(process, 0) AS process_id,
  line << 6 AS address,
  max(object_id) AS object_id,
  max(object_accesses) AS object_accesses,
  max(objects) AS objects,
  max(threads) AS threads,
  max(writers) AS writers,
  max(accesses) AS accesses,
  max(stores) AS stores,
  iif(max(meeting), 'true', 'false') AS sharing,
  max(together) AS together,
  max(waits) AS waits,
  max(wait_ns) AS wait_ns,
  max(weighted) AS weighted,
  max(weight) AS weight,
  max(hitm) AS hitm,
  max(nodes) AS nodes
FROM facts
GROUP BY process, line;
