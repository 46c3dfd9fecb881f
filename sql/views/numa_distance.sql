-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    numa_distance
-- summary: How far accesses travel beyond their own node: δ, 0 if all are local.
-- grain:   one row per kind of thing ("of": "run", "object"), and thing whose nodes and distances are known
-- source:  Machado, Tadonki & Senger 2023, eq. 1, with the diagonal taken off: (1 / (T Q)) Σ r_ij (d_ij - d_ii), T = Σ r_ij,
--          Q = Σ (d_ij - d_ii) over all pairs of nodes
-- note:    known answers: all local 0; uniform over n nodes with CPUs 1/n² (2 nodes 0.25); everything on the other of 2 nodes 0.5
-- column:  of              TEXT     "run", "object"
-- column:  object_id       INTEGER  object: objects.id
-- column:  accesses        INTEGER  T: accesses with known nodes (count)
-- column:  delta           REAL     δ by access; NULL: the distances are not known, or there is one node
-- column:  lines           INTEGER  T: different cache lines, for each pair of nodes (count, of drawn_samples)
-- column:  delta_lines     REAL     δ by different cache line: what the program spans, however often it comes back; NULL: as above
-- column:  home_pct        REAL     coverage: accesses of the thing whose nodes are known, 0-100
CREATE VIEW numa_distance AS
WITH
  farther AS (
    SELECT d.from_node_id AS i, d.to_node_id AS j, d.distance - l.distance AS distance
    FROM node_distances AS d
    JOIN node_distances AS l ON l.from_node_id = d.from_node_id AND l.to_node_id = d.from_node_id
  ),
  spread AS (
    SELECT sum(distance) AS q FROM farther
  ),
  by_access AS (
    SELECT m.of AS of, m.object_id AS object_id, sum(m.accesses) AS t, min(m.home_pct) AS home_pct,
      iif(count(f.distance) = count(*), sum(m.accesses * f.distance), NULL) AS far
    FROM access_matrix AS m
    LEFT JOIN farther AS f ON f.i = m.cpu_node_id AND f.j = m.home_node_id
    WHERE m.of IN ('run', 'object')
    GROUP BY m.of, m.object_id
  ),
  by_line AS (
    SELECT m.of AS of, m.object_id AS object_id, sum(m.lines) AS t,
      iif(count(f.distance) = count(*), sum(m.lines * f.distance), NULL) AS far
    FROM line_matrix AS m
    LEFT JOIN farther AS f ON f.i = m.cpu_node_id AND f.j = m.home_node_id
    GROUP BY m.of, m.object_id
  )
SELECT
  a.of AS of,
  a.object_id AS object_id,
  a.t AS accesses,
  1.0 * a.far / a.t / q.q AS delta,
  l.t AS lines,
  1.0 * l.far / l.t / q.q AS delta_lines,
  a.home_pct AS home_pct
FROM by_access AS a, spread AS q
LEFT JOIN by_line AS l ON l.of = a.of AND l.object_id IS a.object_id;
