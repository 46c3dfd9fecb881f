-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   access_matrix
-- summary: Accesses by node of the CPU and node of the memory, or by node of the memory, or the mean extra distance of accesses (δ).
-- param:   by - nodes (default): one row per pair of node of the CPU and node of the page; home: one row per node of the memory, with its accesses and how uneven the nodes are; distance: one row for the run and each object, with δ
-- values:  by nodes, home, distance
-- param:   object - only this object: its id or name; default: the whole run
-- param:   tid - only this thread: the kernel's number; default: all threads
-- without: tid object
-- with:    tid by nodes, home
-- param:   top 1000 rows at most
-- column:  object_id  objects.id; empty: all objects
-- column:  object     the object's name; empty: all objects
-- column:  tid        the thread; empty: all threads
-- column:  cpu_node   by=nodes: node of the CPU
-- column:  home       node of the page
-- column:  distance   by=nodes: the kernel's distance between the two nodes, local = 10
-- column:  samples    number of samples (hardware: accesses; timer: moments of time); by=distance: only samples whose nodes are known
-- column:  pct        share among the samples whose two nodes (by=home: whose node of the page) are known, 0-100
-- column:  delta      by=distance: mean extra distance δ, weighted by period; 0: all accesses are local; 1/n²: they are spread evenly over n nodes
-- column:  low        lower bound of pct: samples with unknown nodes do not count in this row; by=distance: lower bound of delta: they count as local; lower end of the 95 % interval
-- column:  high       upper bound of pct: all samples with unknown nodes count in this row; by=distance: upper bound of delta: they count with the largest distance; upper end of the 95 % interval
-- column:  imbalance  by=home: number of accesses to the busiest node, divided by the mean number over all nodes with memory; 1: all nodes have equally many accesses
-- column:  cache_lines by=distance: number of different cache lines
-- column:  delta_cache_lines by=distance: δ with each cache line counted once per pair of nodes
-- column:  home_pct   coverage: share of the samples whose two nodes (by=home: whose node of the page) are known, 0-100
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
  home AS ( -- sums for each node of the memory (home), and sums over all samples with an address and over all samples whose home is known
    SELECT
      object_id, object, thread_id, tid, home_node_id, sum(samples) AS samples, sum(estimate) AS estimate, sum(sum(estimate)) OVER w AS n,
      sum(sum(estimate_sq)) OVER w AS sq, total(iif(home_node_id IS NOT NULL, sum(estimate), 0)) OVER w AS known,
      max(iif(home_node_id IS NOT NULL, sum(estimate), 0)) OVER w AS most, count(home_node_id) OVER w AS seen
    FROM asked
    WHERE :by = 'home'
    GROUP BY object_id, thread_id, home_node_id
    WINDOW w AS (PARTITION BY object_id, thread_id)
  ),
  share AS ( -- l and h: lower and upper bound of each share, from 0 to 1; e: the inverse of its effective sample size
    SELECT *, estimate / n AS l, (estimate + n - known) / n AS h, sq / (n * n) AS e FROM home WHERE home_node_id IS NOT NULL
  ),
  part AS (
    SELECT
      object_id, object, tid, cpu_node_id, home_node_id, distance, samples, share_pct, NULL AS delta, round(share_low_pct, 1) AS low, round(share_high_pct, 1) AS high,
      NULL AS imbalance, NULL AS cache_lines, NULL AS delta_cache_lines, home_pct, 0 AS place
    FROM asked
    WHERE coalesce(:by, 'nodes') = 'nodes' AND share_pct IS NOT NULL
    UNION ALL
    SELECT
      object_id, object, tid, NULL, home_node_id, NULL, samples, 100 * estimate / known, NULL,
      round(max(0, 100 * (l + 1.9208 * e - 1.96 * sqrt(l * (1 - l) * e + 0.9604 * e * e)) / (1 + 3.8416 * e)), 1),
      round(min(100, 100 * (h + 1.9208 * e + 1.96 * sqrt(h * (1 - h) * e + 0.9604 * e * e)) / (1 + 3.8416 * e)), 1),
      most * max(seen, (SELECT count(*) FROM nodes WHERE mem_total_bytes > 0)) / known, NULL, NULL, 100 * known / n, 0
    FROM share
    UNION ALL
    SELECT d.object_id, o.name, NULL, NULL, NULL, NULL, d.samples, NULL, d.delta, round(d.delta_low, 3), round(d.delta_high, 3), NULL, d.cache_lines,
      d.delta_cache_lines, d.home_pct, iif(d.scope = 'run', -1e300, -d.delta * d.samples)
    FROM numa_distance AS d
    LEFT JOIN objects AS o ON o.id = d.object_id
    WHERE :by = 'distance' AND (:object IS NULL OR d.object_id = :object OR o.name = :object)
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
  round(delta, 3) AS delta,
  low,
  high,
  round(imbalance, 2) AS imbalance,
  cache_lines,
  round(delta_cache_lines, 3) AS delta_cache_lines,
  round(home_pct, 1) AS home_pct
FROM part
ORDER BY place, iif(:by = 'distance', -samples, 0), object_id, tid, cpu_node_id, home_node_id
LIMIT coalesce(:top, 1000);
