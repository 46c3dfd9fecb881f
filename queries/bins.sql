-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   bins
-- summary: Which part of an object costs, and which threads use it.
-- param:   object - the object: its id or name; of several of that name the one that cost most; if not said that of all but stacks
-- param:   bins 5 equal parts of its extent
-- column:  object_id   objects.id
-- column:  object      its name
-- column:  bin         number of the bin, from 0
-- column:  low         lowest offset in it that is accessed, as a part of the extent, in [0, 1]
-- column:  high        highest offset
-- column:  drawn       drawn samples
-- column:  cost_pct    share of the object's cost (of its samples, where none was measured), 0-100
-- column:  cost_low    lower end of its 95 % interval
-- column:  cost_high   upper end
-- column:  hot         1: one of the fewest bins that hold 90 % of the cost
-- column:  remote_pct  of those whose nodes are known, of pages on another node, 0-100; empty on one node
-- column:  remote_low  least share of all: none of the unknown are remote, lower end of the 95 % interval
-- column:  remote_high largest share: all of the unknown are, upper end
-- column:  home_pct    drawn samples whose nodes are known, 0-100
-- column:  threads     the threads: kernel's number, range and drawn samples
WITH
  chosen AS MATERIALIZED (
    SELECT o.id AS id, o.name AS name
    FROM objects AS o
    JOIN totals AS t ON t.scope = 'object' AND t.object_id = o.id
    WHERE iif(:object IS NULL, o.kind <> 'stack', o.id = :object OR o.name = :object)
    ORDER BY t.cost DESC, t.addressed DESC, o.id
    LIMIT 1
  ),
  access AS MATERIALIZED (
    SELECT
      max(0, min(object_offset * max(1, coalesce(:bins, 5)) / extent_bytes, max(1, coalesce(:bins, 5)) - 1)) AS bin,
      place, thread_id, estimate, cost, home_node_id = cpu_node_id AS local
    FROM drawn_samples
    WHERE extent_bytes > 0 AND object_id = (SELECT id FROM chosen)
  ),
  thread AS (
    SELECT bin, thread_id, min(place) AS low, max(place) AS high, count(*) AS drawn
    FROM access
    GROUP BY bin, thread_id
  ),
  told AS (
    SELECT bin, group_concat(told, ', ') AS threads
    FROM (
      SELECT h.bin AS bin, coalesce(t.tid, '?') || printf(' %.2f-%.2f ×%d', h.low, h.high, h.drawn) AS told
      FROM thread AS h
      LEFT JOIN threads AS t ON t.id = h.thread_id
      ORDER BY h.bin, h.drawn DESC, t.tid
    )
    GROUP BY bin
  ),
  part AS (
    SELECT bin, min(place) AS low, max(place) AS high, count(*) AS drawn, sum(cost) AS own_cost, sum(cost * cost) AS own_sq,
      total(estimate) AS estimate, total(1.0 * estimate * estimate) AS estimate_sq, total(estimate * local) AS local, total(estimate * (1 - local)) AS remote
    FROM access
    GROUP BY bin
  ),
  cost AS (
    SELECT *, iif(sum(own_cost) OVER () > 0, own_cost, estimate) AS cost, iif(sum(own_cost) OVER () > 0, own_sq, estimate_sq) AS sq FROM part
  ),
  ranked AS ( -- hot: what is costlier does not yet hold 90 %
    SELECT *, sum(cost) OVER () AS n, sum(sq) OVER () AS all_sq, sum(cost) OVER (ORDER BY cost DESC, bin ROWS UNBOUNDED PRECEDING) - cost AS costlier
    FROM cost
  )
SELECT
  c.id AS object_id,
  c.name AS object,
  r.bin AS bin,
  round(r.low, 3) AS low,
  round(r.high, 3) AS high,
  r.drawn AS drawn,
  round(100.0 * r.cost / r.n, 1) AS cost_pct,
  round(max(0, 100.0 * (r.cost * r.n + 1.9208 * r.all_sq - 1.96 * sqrt(r.cost * (r.n - r.cost) * r.all_sq + 0.9604 * r.all_sq * r.all_sq)) / (r.n * r.n + 3.8416 * r.all_sq)), 1) AS cost_low,
  round(min(100, 100.0 * (r.cost * r.n + 1.9208 * r.all_sq + 1.96 * sqrt(r.cost * (r.n - r.cost) * r.all_sq + 0.9604 * r.all_sq * r.all_sq)) / (r.n * r.n + 3.8416 * r.all_sq)), 1) AS cost_high,
  r.cost > 0 AND r.costlier < 0.9 * r.n AS hot,
  iif((SELECT count(*) FROM nodes) <> 1, round(100.0 * r.remote / nullif(r.local + r.remote, 0), 1), NULL) AS remote_pct,
  iif((SELECT count(*) FROM nodes) <> 1 AND r.local + r.remote > 0, round(max(0, 100.0 * (r.remote * r.estimate + 1.9208 * r.estimate_sq - 1.96 * sqrt(r.remote * (r.estimate - r.remote) * r.estimate_sq + 0.9604 * r.estimate_sq * r.estimate_sq)) / (r.estimate * r.estimate + 3.8416 * r.estimate_sq)), 1), NULL) AS remote_low,
  iif((SELECT count(*) FROM nodes) <> 1 AND r.local + r.remote > 0, round(min(100, 100.0 * ((r.estimate - r.local) * r.estimate + 1.9208 * r.estimate_sq + 1.96 * sqrt((r.estimate - r.local) * (r.estimate - (r.estimate - r.local)) * r.estimate_sq + 0.9604 * r.estimate_sq * r.estimate_sq)) / (r.estimate * r.estimate + 3.8416 * r.estimate_sq)), 1), NULL) AS remote_high,
  iif((SELECT count(*) FROM nodes) <> 1, round(100.0 * (r.local + r.remote) / r.estimate, 1), NULL) AS home_pct,
  t.threads AS threads
FROM ranked AS r
CROSS JOIN chosen AS c
LEFT JOIN told AS t ON t.bin = r.bin
ORDER BY r.bin;
