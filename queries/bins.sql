-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   bins
-- summary: Cost of each part (bin) of an object, and the threads that use it.
-- param:   object - the object: its id or name; if several objects have that name, the object with the highest cost; default: the object with the highest cost, except stacks
-- param:   bins 5 number of equal parts of the object's extent
-- values:  bins 1..65536
-- column:  object_id   objects.id
-- column:  object      name of the object
-- column:  bin         number of the bin, from 0; empty: the object's extent is not known
-- column:  lowest      lowest accessed offset in the bin, as a fraction of the object's extent (0 to 1)
-- column:  highest     highest accessed offset in the bin, as a fraction of the object's extent (0 to 1)
-- column:  drawn       number of drawn samples in the bin
-- column:  cost_pct    share of the run's cost, estimated from drawn samples, 0-100
-- column:  cost_low    lower end of the 95 % interval of cost_pct
-- column:  cost_high   upper end of the 95 % interval of cost_pct
-- column:  object_pct  share of the object's own cost, 0-100; if no cost was measured, of the object's samples
-- column:  object_low  lower end of the 95 % interval of object_pct
-- column:  object_high upper end of the 95 % interval of object_pct
-- column:  hot         1: the bin belongs to the smallest set of bins that together have 90 % of the object's cost
-- column:  remote_pct  share of accesses to pages on a different node, among the samples whose nodes are known, 0-100; empty on a machine with one node
-- column:  remote_low  lower bound of remote_pct: counts samples with unknown nodes as local; lower end of the 95 % interval
-- column:  remote_high upper bound of remote_pct: counts samples with unknown nodes as remote; upper end of the 95 % interval
-- column:  home_pct    coverage: share of drawn samples whose nodes are known, 0-100
-- column:  threads     for each thread: the kernel's number, the range that it uses, and its number of drawn samples
WITH
  chosen AS MATERIALIZED (
    SELECT object_id AS id, object AS name
    FROM object_costs
    WHERE object_id IS NOT NULL AND iif(:object IS NULL, kind <> 'stack', :object IN (object_id, object))
    ORDER BY rank
    LIMIT 1
  ),
  access AS MATERIALIZED (
    SELECT
      iif(extent_bytes > 0, max(0, min(object_offset * coalesce(:bins, 5) / extent_bytes, coalesce(:bins, 5) - 1)), NULL) AS bin,
      place, thread_id, estimate, estimate_sq, cost, one_in, home_node_id = cpu_node_id AS local, accesses
    FROM drawn_samples
    WHERE object_id = (SELECT id FROM chosen)
  ),
  thread AS (
    SELECT bin, thread_id, min(place) AS low, max(place) AS high, sum(accesses) AS drawn
    FROM access
    GROUP BY bin, thread_id
  ),
  told AS (
    SELECT bin, group_concat(told, ', ') AS threads
    FROM (
      SELECT h.bin AS bin, coalesce(t.tid, '?') || iif(h.low IS NULL, '', printf(' %.2f-%.2f', h.low, h.high)) || ' ×' || h.drawn AS told
      FROM thread AS h
      LEFT JOIN threads AS t ON t.id = h.thread_id
      ORDER BY h.bin, h.drawn DESC, t.tid
    )
    GROUP BY bin
  ),
  part AS (
    SELECT bin, min(place) AS low, max(place) AS high, sum(accesses) AS drawn, sum(cost) AS cost, sum(cost * cost) AS cost_sq, max(one_in) AS one_in,
      total(estimate) AS estimate, total(estimate_sq) AS estimate_sq, total(estimate * local) AS local, total(estimate * (1 - local)) AS remote
    FROM access
    GROUP BY bin
  ),
  -- the column `own` is what the shares of the object refer to: the object's cost or, if no cost
  -- was measured, the number of events that its samples represent
  own AS (
    SELECT *, iif(sum(cost) OVER () > 0, cost, estimate) AS own, iif(sum(cost) OVER () > 0, cost_sq, estimate_sq) AS own_sq FROM part
  ),
  ranked AS ( -- costlier: the sum of `own` over the bins that cost more than this bin
    SELECT *, sum(own) OVER () AS n, sum(own_sq) OVER () AS sq, sum(own) OVER (ORDER BY own DESC, bin ROWS UNBOUNDED PRECEDING) - own AS costlier
    FROM own
  ),
  -- shares from 0 to 1: c of the run, o of the object, least and most: the bounds of the remote
  -- share; c_sq, o_sq, e: the inverse of their effective sample sizes. NULL: not known, or one node
  share AS (
    SELECT
      p.*, min(1.0, p.cost * p.one_in / r.cost) AS c, r.sq * p.one_in / (r.cost * r.cost) AS c_sq, p.own / p.n AS o, p.sq / (p.n * p.n) AS o_sq,
      iif(r.nodes <> 1 AND p.local + p.remote > 0, p.remote / p.estimate, NULL) AS least, 1 - p.local / p.estimate AS most, p.estimate_sq / (p.estimate * p.estimate) AS e
    FROM ranked AS p
    CROSS JOIN (SELECT nullif(cost + lost_cost, 0) AS cost, cost_sq AS sq, (SELECT count(*) FROM nodes) AS nodes FROM totals WHERE scope = 'run') AS r
  )
SELECT
  c.id AS object_id,
  c.name AS object,
  s.bin AS bin,
  round(s.low, 3) AS lowest,
  round(s.high, 3) AS highest,
  s.drawn AS drawn,
  round(100 * s.c, 1) AS cost_pct,
  round(max(0, 100 * (s.c + 1.9208 * s.c_sq - 1.96 * sqrt(s.c * (1 - s.c) * s.c_sq + 0.9604 * s.c_sq * s.c_sq)) / (1 + 3.8416 * s.c_sq)), 1) AS cost_low,
  round(min(100, 100 * (s.c + 1.9208 * s.c_sq + 1.96 * sqrt(s.c * (1 - s.c) * s.c_sq + 0.9604 * s.c_sq * s.c_sq)) / (1 + 3.8416 * s.c_sq)), 1) AS cost_high,
  round(100 * s.o, 1) AS object_pct,
  round(max(0, 100 * (s.o + 1.9208 * s.o_sq - 1.96 * sqrt(s.o * (1 - s.o) * s.o_sq + 0.9604 * s.o_sq * s.o_sq)) / (1 + 3.8416 * s.o_sq)), 1) AS object_low,
  round(min(100, 100 * (s.o + 1.9208 * s.o_sq + 1.96 * sqrt(s.o * (1 - s.o) * s.o_sq + 0.9604 * s.o_sq * s.o_sq)) / (1 + 3.8416 * s.o_sq)), 1) AS object_high,
  s.own > 0 AND s.costlier < 0.9 * s.n AS hot,
  iif(s.least IS NULL, NULL, round(100 * s.remote / (s.local + s.remote), 1)) AS remote_pct,
  round(max(0, 100 * (s.least + 1.9208 * s.e - 1.96 * sqrt(s.least * (1 - s.least) * s.e + 0.9604 * s.e * s.e)) / (1 + 3.8416 * s.e)), 1) AS remote_low,
  iif(s.least IS NULL, NULL, round(min(100, 100 * (s.most + 1.9208 * s.e + 1.96 * sqrt(s.most * (1 - s.most) * s.e + 0.9604 * s.e * s.e)) / (1 + 3.8416 * s.e)), 1)) AS remote_high,
  iif(s.least IS NULL, NULL, round(100 * (s.local + s.remote) / s.estimate, 1)) AS home_pct,
  t.threads AS threads
FROM share AS s
CROSS JOIN chosen AS c
LEFT JOIN told AS t ON t.bin IS s.bin
ORDER BY s.bin;
