-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   access_matrix
-- summary: From which node which node's memory is accessed, or how much each node's memory serves.
-- param:   by - rows: nodes (if not said: CPU's node and home) or home (requests to each node's memory, and how uneven they are)
-- values:  by nodes, home
-- param:   object - only this object: its id or name; else the whole run
-- param:   tid - only this thread: the kernel's number; else all
-- without: tid object
-- column:  object_id  objects.id; empty: all
-- column:  object     the object's name; empty: all
-- column:  tid        the thread; empty: all
-- column:  cpu_node   by=nodes: node of the CPU
-- column:  home       node of the page
-- column:  distance   by=nodes: the kernel's distance between them, local = 10
-- column:  samples    samples (hardware: accesses; timer: moments of time)
-- column:  pct        their share of those whose nodes (by=home: homes) are known, 0-100
-- column:  low        least share of all: none of the unknown are here, lower end of the 95 % interval
-- column:  high       largest share: all of the unknown are, upper end
-- column:  imbalance  by=home: the busiest node by the mean of all nodes with memory; 1: even
-- column:  home_pct   samples whose nodes (by=home: homes) are known, 0-100
WITH
  part AS (
    SELECT scope, object_id, thread_id, cpu_node_id, home_node_id, distance, samples, share_pct, share_low_pct, share_high_pct, NULL AS imbalance, home_pct
    FROM access_matrix
    WHERE coalesce(:by, 'nodes') = 'nodes'
    UNION ALL
    SELECT scope, object_id, thread_id, NULL, node_id, NULL, samples, share_pct, share_low_pct, share_high_pct, imbalance, home_pct
    FROM node_requests
    WHERE :by = 'home'
  )
SELECT
  m.object_id AS object_id,
  o.name AS object,
  t.tid AS tid,
  m.cpu_node_id AS cpu_node,
  m.home_node_id AS home,
  m.distance AS distance,
  m.samples AS samples,
  round(m.share_pct, 1) AS pct,
  round(m.share_low_pct, 1) AS low,
  round(m.share_high_pct, 1) AS high,
  round(m.imbalance, 2) AS imbalance,
  round(m.home_pct, 1) AS home_pct
FROM part AS m
LEFT JOIN objects AS o ON o.id = m.object_id
LEFT JOIN threads AS t ON t.id = m.thread_id
WHERE m.scope = CASE WHEN :object IS NOT NULL THEN 'object' WHEN :tid IS NOT NULL THEN 'thread' ELSE 'run' END
  AND (:object IS NULL OR m.object_id = :object OR o.name = :object)
  AND (:tid IS NULL OR t.tid = :tid)
ORDER BY m.object_id, t.tid, m.cpu_node_id, m.home_node_id;
