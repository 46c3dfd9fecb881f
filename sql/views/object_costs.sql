-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW object_costs AS
-- view:    object_costs
-- summary: What memory costs at each object, and what has no object.
-- grain:   one row per object with a sample, and one for what has none: the costs add up to the run's
-- source:  Helm & Taura 2017, listing 3, by object instead of allocation; remote_cost_pct: Liu & Mellor-Crummey 2014, 4.2
WITH
  run AS MATERIALIZED run_totals()
SELECT
  t.object_id AS object_id,     -- objects.id; NULL: samples that access none, and waits for unknown memory
  coalesce(o.name, '[no object]') AS object, -- its name
  o.kind AS kind,               -- "heap", "static", "stack", "mapping"
  iif(o.kind = 'heap', o.size_bytes, nullif(o.size_bytes, 0)) AS size_bytes, -- its size; heap: the largest sum of its blocks alive at one time; NULL: not known
  o.allocations AS allocations, -- heap: number of blocks
  listed_last(r, o, t) AS cached, -- 1: what waits for it is expected to find it in the first-level cache, 0: else, or not known
  row_number() OVER (
    ORDER BY listed_last(r, o, t), iif(claims((r.waits + r.lost_waits), r.addressed), t.cost + t.lost_cost, 0) DESC,
      iif(claims((r.waits + r.lost_waits), r.addressed), t.estimate, 0) DESC, t.addressed DESC, t.object_id
  ) AS rank,                    -- 1: rank by cost, cached objects last; with too few samples, by number of samples
  o.estimated AS estimated,     -- 1: size and number are estimates, of the small blocks one in N was recorded (and of the accesses to them)
  cost_most(t, r, coalesce(w.period, 0)) AS cost_most_pct, -- cost_pct at most (timer, cycles): with all waits that may have been for the object, upper end of the 95 % interval, 0-100; NULL: no object, another sampler
  cost_columns(t, r, coalesce(w.period, 0))
FROM totals AS t
CROSS JOIN run AS r
LEFT JOIN objects AS o ON o.id = t.object_id
LEFT JOIN other_waits AS w ON w.object_id = t.object_id
WHERE t.scope = 'object';
