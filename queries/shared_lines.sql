-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   shared_lines
-- summary: Cache lines that several threads use at a time while one of them writes: true or false sharing.
-- param:   object - only this object: its id or name
-- param:   top 30 rows at most
-- column:  object_id  objects.id
-- column:  object    the object's name
-- column:  line      address of the cache line
-- column:  sharing   true: the same bytes; false: they only meet in the line
-- column:  threads   threads
-- column:  writers   those that write
-- column:  objects   different objects in it
-- column:  accesses  accesses
-- column:  stores    those that write
-- column:  hitm      found modified in another cache (hardware)
-- column:  wait_ms   waiting time, ms (timer)
-- column:  latency   mean latency, core cycles (hardware)
SELECT
  l.object_id AS object_id,
  o.name AS object,
  printf('%x', l.address) AS line,
  l.sharing AS sharing,
  l.threads AS threads,
  l.writers AS writers,
  l.objects AS objects,
  l.accesses AS accesses,
  l.stores AS stores,
  nullif(l.hitm, 0) AS hitm,
  nullif(round(l.wait_ns / 1e6, 3), 0) AS wait_ms,
  round(1.0 * l.weight / nullif(l.weighted, 0), 1) AS latency
FROM shared_lines AS l
LEFT JOIN objects AS o ON o.id = l.object_id
WHERE l.together AND (:object IS NULL OR l.object_id = :object OR o.name = :object)
ORDER BY l.hitm DESC, l.wait_ns DESC, l.weight DESC, l.accesses DESC, l.process_id, l.address
LIMIT coalesce(:top, 30);
