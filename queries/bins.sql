-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   bins
-- summary: Which part of an object costs, and which threads use it.
-- param:   object - the object: its id or name; of several of that name the one that cost most; if not said that of all
-- param:   bins 5 equal parts of its extent
-- column:  object_id   objects.id
-- column:  object      its name
-- column:  bin         number of the bin, from 0
-- column:  low         lowest offset in it that is accessed, as a part of the extent, in [0, 1]
-- column:  high        highest offset
-- column:  accesses    accesses
-- column:  cost_pct    share of the object's waiting time, latency or accesses, 0-100
-- column:  cost_low    lower end of its 95 % interval; empty: of latency
-- column:  cost_high   upper end
-- column:  hot         1: one of the fewest bins that hold 90 % of the cost
-- column:  remote_pct  accesses to another node, 0-100; empty: homes are not known
-- column:  remote_low  lower end of its 95 % interval
-- column:  remote_high upper end
-- column:  threads     the threads: kernel's number, range and accesses
WITH
  chosen AS MATERIALIZED (
    SELECT o.id AS id, o.name AS name
    FROM objects AS o
    JOIN thing_sums AS t ON t.of = 'object' AND t.object_id = o.id
    WHERE :object IS NULL OR o.id = :object OR o.name = :object
    ORDER BY t.wait_ns DESC, t.weight DESC, t.accesses DESC, o.id
    LIMIT 1
  ),
  access AS MATERIALIZED (
    SELECT
      max(0, min(object_offset * max(1, coalesce(:bins, 5)) / extent_bytes, max(1, coalesce(:bins, 5)) - 1)) AS bin,
      max(0.0, min(1.0 * object_offset / extent_bytes, 1.0)) AS place,
      thread_id, waits, wait_ns, weight, home_node_id <> cpu_node_id AS remote
    FROM drawn_samples
    WHERE extent_bytes > 0 AND object_id = (SELECT id FROM chosen)
  ),
  thread AS (
    SELECT bin, thread_id, min(place) AS low, max(place) AS high, count(*) AS accesses
    FROM access
    GROUP BY bin, thread_id
  ),
  told AS (
    SELECT bin, group_concat(told, ', ') AS threads
    FROM (
      SELECT h.bin AS bin, coalesce(t.tid, '?') || printf(' %.2f-%.2f ×%d', h.low, h.high, h.accesses) AS told
      FROM thread AS h
      LEFT JOIN threads AS t ON t.id = h.thread_id
      ORDER BY h.bin, h.accesses DESC, t.tid
    )
    GROUP BY bin
  ),
  part AS (
    SELECT bin, min(place) AS low, max(place) AS high, count(*) AS accesses, sum(waits) AS waits, sum(wait_ns) AS wait_ns, sum(weight) AS weight,
      count(remote) AS known, sum(remote) AS remote
    FROM access
    GROUP BY bin
  ),
  cost AS (
    SELECT
      *,
      CASE WHEN sum(wait_ns) OVER () > 0 THEN wait_ns WHEN sum(weight) OVER () > 0 THEN weight ELSE accesses END AS cost,
      CASE WHEN sum(wait_ns) OVER () > 0 THEN waits WHEN sum(weight) OVER () > 0 THEN NULL ELSE accesses END AS k -- samples that the cost is made of
    FROM part
  ),
  ranked AS (
    SELECT *, 1.0 * sum(k) OVER () AS n, sum(cost) OVER () AS all_cost, sum(cost) OVER (ORDER BY cost DESC, bin ROWS UNBOUNDED PRECEDING) - cost AS costlier
    FROM cost
  )
SELECT
  c.id AS object_id,
  c.name AS object,
  r.bin AS bin,
  round(r.low, 3) AS low,
  round(r.high, 3) AS high,
  r.accesses AS accesses,
  round(100.0 * r.cost / r.all_cost, 1) AS cost_pct,
  round(max(0, 100.0 * (r.k + 1.9208 - 1.96 * sqrt(r.k * (r.n - r.k) / r.n + 0.9604)) / (r.n + 3.8416)), 1) AS cost_low,
  round(min(100, 100.0 * (r.k + 1.9208 + 1.96 * sqrt(r.k * (r.n - r.k) / r.n + 0.9604)) / (r.n + 3.8416)), 1) AS cost_high,
  r.cost > 0 AND r.costlier < 0.9 * r.all_cost AS hot,
  round(100.0 * r.remote / r.known, 1) AS remote_pct,
  round(max(0, 100.0 * (r.remote + 1.9208 - 1.96 * sqrt(1.0 * r.remote * (r.known - r.remote) / r.known + 0.9604)) / (r.known + 3.8416)), 1) AS remote_low,
  round(min(100, 100.0 * (r.remote + 1.9208 + 1.96 * sqrt(1.0 * r.remote * (r.known - r.remote) / r.known + 0.9604)) / (r.known + 3.8416)), 1) AS remote_high,
  t.threads AS threads
FROM ranked AS r
CROSS JOIN chosen AS c
LEFT JOIN told AS t ON t.bin = r.bin
ORDER BY r.bin;
