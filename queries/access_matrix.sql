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
  asked AS (
    SELECT m.*, o.name AS object, t.tid AS tid
    FROM access_matrix AS m
    LEFT JOIN objects AS o ON o.id = m.object_id
    LEFT JOIN threads AS t ON t.id = m.thread_id
    WHERE m.scope = CASE WHEN :object IS NOT NULL THEN 'object' WHEN :tid IS NOT NULL THEN 'thread' ELSE 'run' END
      AND (:object IS NULL OR m.object_id = :object OR o.name = :object)
      AND (:tid IS NULL OR t.tid = :tid)
  ),
  home AS ( -- sums by home, of all samples with an address, and of those whose home is known
    SELECT
      object_id, object, thread_id, tid, home_node_id, sum(samples) AS samples, sum(estimate) AS estimate, sum(sum(estimate)) OVER w AS n,
      sum(sum(estimate_sq)) OVER w AS sq, total(iif(home_node_id IS NOT NULL, sum(estimate), 0)) OVER w AS known,
      max(iif(home_node_id IS NOT NULL, sum(estimate), 0)) OVER w AS most, count(home_node_id) OVER w AS seen
    FROM asked
    WHERE :by = 'home'
    GROUP BY object_id, thread_id, home_node_id
    WINDOW w AS (PARTITION BY object_id, thread_id)
  ),
  share AS ( -- in [0, 1]: least, most, and the inverse of the effective sample size
    SELECT *, estimate / n AS l, (estimate + n - known) / n AS h, sq / (n * n) AS e FROM home WHERE home_node_id IS NOT NULL
  ),
  part AS (
    SELECT object_id, object, tid, cpu_node_id, home_node_id, distance, samples, share_pct, share_low_pct, share_high_pct, NULL AS imbalance, home_pct
    FROM asked
    WHERE coalesce(:by, 'nodes') = 'nodes' AND share_pct IS NOT NULL
    UNION ALL
    SELECT
      object_id, object, tid, NULL, home_node_id, NULL, samples, 100 * estimate / known,
      max(0, 100 * (l + 1.9208 * e - 1.96 * sqrt(l * (1 - l) * e + 0.9604 * e * e)) / (1 + 3.8416 * e)),
      min(100, 100 * (h + 1.9208 * e + 1.96 * sqrt(h * (1 - h) * e + 0.9604 * e * e)) / (1 + 3.8416 * e)),
      most * max(seen, (SELECT count(*) FROM nodes WHERE mem_total_bytes > 0)) / known, 100 * known / n
    FROM share
  )
SELECT
  object_id,
  object,
  tid,
  cpu_node_id AS cpu_node,
  home_node_id AS home,
  distance,
  samples,
  round(share_pct, 1) AS pct,
  round(share_low_pct, 1) AS low,
  round(share_high_pct, 1) AS high,
  round(imbalance, 2) AS imbalance,
  round(home_pct, 1) AS home_pct
FROM part
ORDER BY object_id, tid, cpu_node_id, home_node_id;
