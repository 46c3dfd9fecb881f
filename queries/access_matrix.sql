-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   access_matrix
-- summary: From which node which node's memory is accessed.
-- param:   object - only this object: its id or name; else the whole run
-- param:   tid - only this thread: the kernel's number; else all
-- column:  object_id  objects.id; empty: all
-- column:  object    the object's name; empty: all
-- column:  tid       the thread; empty: all
-- column:  cpu_node  node of the CPU
-- column:  home      node of the page
-- column:  distance  the kernel's distance between them, local = 10
-- column:  accesses  accesses
-- column:  pct       their share, 0-100
-- column:  low       lower end of its 95 % interval
-- column:  high      upper end
-- column:  home_pct  accesses whose nodes are known, 0-100
SELECT
  m.object_id AS object_id,
  o.name AS object,
  t.tid AS tid,
  m.cpu_node_id AS cpu_node,
  m.home_node_id AS home,
  m.distance AS distance,
  m.accesses AS accesses,
  round(m.accesses_pct, 1) AS pct,
  round(m.accesses_low_pct, 1) AS low,
  round(m.accesses_high_pct, 1) AS high,
  round(m.home_pct, 1) AS home_pct
FROM access_matrix AS m
LEFT JOIN objects AS o ON o.id = m.object_id
LEFT JOIN threads AS t ON t.id = m.thread_id
WHERE m.of = CASE WHEN :object IS NOT NULL THEN 'object' WHEN :tid IS NOT NULL THEN 'thread' ELSE 'run' END
  AND (:object IS NULL OR m.object_id = :object OR o.name = :object)
  AND (:object IS NOT NULL OR :tid IS NULL OR t.tid = :tid)
ORDER BY m.object_id, t.tid, m.cpu_node_id, m.home_node_id;
