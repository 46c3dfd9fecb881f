-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   points
-- summary: When each thread accesses which place of an object: points to draw.
-- param:   object - only this object: its id or name
-- param:   top 1000000 rows at most
-- column:  object_id  objects.id
-- column:  object     the object's name
-- column:  at_s       seconds since the start
-- column:  place      offset as a part of the object's extent, in [0, 1]
-- column:  tid        thread
-- column:  store      1: it writes
-- column:  home       node of the page
SELECT
  p.object_id AS object_id,
  o.name AS object,
  round((p.time - r.start_ns) / 1e9, 6) AS at_s,
  round(p.place, 6) AS place,
  t.tid AS tid,
  p.stores AS store,
  p.home_node_id AS home
FROM drawn_samples AS p
CROSS JOIN runs AS r
LEFT JOIN objects AS o ON o.id = p.object_id
LEFT JOIN threads AS t ON t.id = p.thread_id
WHERE p.object_id IS NOT NULL AND (:object IS NULL OR p.object_id = :object OR o.name = :object)
ORDER BY p.time, t.tid, p.place
LIMIT coalesce(:top, 1000000);
