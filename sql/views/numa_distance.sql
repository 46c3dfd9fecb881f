-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW numa_distance AS
-- view:    numa_distance
-- summary: Mean extra distance of accesses beyond their own node: δ, 0 if all accesses are local.
-- grain:   one row per scope ("run", "object") and member of the scope that has a sample whose two nodes are known
-- source:  Machado, Tadonki & Senger 2023, eq. 1, without the diagonal: (1 / (T Q)) Σ r_ij (d_ij - d_ii), T = Σ r_ij,
--          Q = Σ (d_ij - d_ii) over all pairs of nodes
-- note:    reference values: all local 0; uniform over n nodes with CPUs 1/n² (2 nodes 0.25); all accesses to the other of 2 nodes 0.5
-- note:    accesses with an unknown node count as local in delta_low, and as between the farthest pair of nodes in delta_high. Both are ends of the
--          95 % interval (Wilson 1927) of a share, multiplied by the largest extra distance. The interval is slightly too wide if there are several distances
-- note:    delta_cache_lines counts each cache line in drawn_samples once for each pair of CPU node and home node, even if it was sampled often
WITH
  farther AS (
    SELECT d.from_node_id AS i, d.to_node_id AS j, d.distance - l.distance AS distance
    FROM node_distances AS d
    JOIN node_distances AS l ON l.from_node_id = d.from_node_id AND l.to_node_id = d.from_node_id
  ),
  spread AS (
    SELECT sum(distance) AS q, max(distance) AS most FROM farther
  ),
  by_access AS (
    SELECT m.scope AS scope, m.object_id AS object_id, sum(m.samples) AS samples, sum(m.estimate) AS t, min(m.home_pct) AS home_pct,
      iif(count(f.distance) = count(*), sum(m.estimate * f.distance), NULL) AS far
    FROM access_matrix AS m
    LEFT JOIN farther AS f ON f.i = m.cpu_node_id AND f.j = m.home_node_id
    WHERE m.scope IN ('run', 'object') AND m.cpu_node_id IS NOT NULL AND m.home_node_id IS NOT NULL
    GROUP BY m.scope, m.object_id
  ),
  line AS (
    SELECT process_id, address >> 6 AS line, object_id, cpu_node_id, home_node_id
    FROM drawn_samples
    WHERE cpu_node_id IS NOT NULL AND home_node_id IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5
  ),
  line_matrix AS (
    SELECT 'object' AS scope, object_id, cpu_node_id, home_node_id, count(*) AS lines
    FROM line
    WHERE object_id IS NOT NULL
    GROUP BY object_id, cpu_node_id, home_node_id
    UNION ALL -- the lines of the run. They are not the sums over the objects, because a line that several small objects share must count only once
    SELECT 'run', NULL, cpu_node_id, home_node_id, count(*)
    FROM (SELECT DISTINCT process_id, line, cpu_node_id, home_node_id FROM line)
    GROUP BY cpu_node_id, home_node_id
  ),
  by_line AS (
    SELECT m.scope AS scope, m.object_id AS object_id, sum(m.lines) AS t,
      iif(count(f.distance) = count(*), sum(m.lines * f.distance), NULL) AS far
    FROM line_matrix AS m
    LEFT JOIN farther AS f ON f.i = m.cpu_node_id AND f.j = m.home_node_id
    GROUP BY m.scope, m.object_id
  )
SELECT
  a.scope AS scope,                 -- what the row is about: "run" or "object"; select one scope, because the rows of each scope cover all samples
  a.object_id AS object_id,         -- for scope "object": objects.id
  a.samples AS samples,             -- number of samples whose two nodes are known
  1.0 * a.far / a.t / q.q AS delta, -- δ; each sample counts with its period; NULL: the distances are not known, or there is one node
  share_low((a.far / q.most), t.estimate, t.estimate_sq) / 100 * q.most / q.q AS delta_low, -- lower bound of δ: accesses with unknown nodes count as local; lower end of the 95 % interval
  share_high((a.far / q.most + t.estimate - a.t), t.estimate, t.estimate_sq) / 100 * q.most / q.q AS delta_high, -- upper bound of δ: accesses with unknown nodes count as between the farthest pair of nodes; upper end of the 95 % interval
  l.t AS cache_lines,               -- number of different cache lines in the drawn samples; a line counts once for each pair of CPU node and home node
  1.0 * l.far / l.t / q.q AS delta_cache_lines, -- δ if each cache line counts once for each pair of nodes; NULL: the distances are not known, or there is one node. It describes only the sampled lines, so it has no interval
  a.home_pct AS home_pct            -- coverage: share of the samples with an address whose two nodes are known, 0-100
FROM by_access AS a, spread AS q
JOIN totals AS t ON t.scope = a.scope AND t.object_id IS a.object_id
LEFT JOIN by_line AS l ON l.scope = a.scope AND l.object_id IS a.object_id;
