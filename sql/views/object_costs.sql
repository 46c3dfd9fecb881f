-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW object_costs AS
-- view:    object_costs
-- summary: Cost of memory by object.
-- grain:   one row per object with a sample, plus one row for samples without an object, so the costs add up to the cost of the run
-- source:  Helm & Taura 2017, listing 3, by object instead of allocation; remote_cost_pct: Liu & Mellor-Crummey 2014, 4.2
WITH
  run AS MATERIALIZED run_totals()
SELECT
  t.object_id AS object_id,     -- objects.id; NULL: samples without an object, and waits whose object is not known
  coalesce(o.name, '[no object]') AS object, -- objects.name, such as the name of the variable
  o.kind AS kind,               -- kind of the object: "heap", "static", "stack" or "mapping"
  iif(o.kind = 'heap', o.size_bytes, nullif(o.size_bytes, 0)) AS size_bytes, -- size, bytes; of a heap object: the maximum number of bytes allocated at one time; NULL: not known
  o.allocations AS allocations, -- of a heap object: number of its blocks
  row_number() OVER (
    ORDER BY iif(claims((r.waits + r.lost_waits), r.addressed), t.cost + t.lost_cost, 0) DESC,
      iif(claims((r.waits + r.lost_waits), r.addressed), t.estimate, 0) DESC, t.addressed DESC, t.object_id
  ) AS rank,                    -- rank by cost, from 1; if there are too few samples to state costs, rank by the number of samples
  o.estimated AS estimated,     -- 1: size_bytes and allocations are estimates, because only one in N small blocks was recorded; the costs do not contain accesses to the other blocks
  time_most(t, r, coalesce(w.period, 0)) AS time_most_pct, -- upper bound of time_pct, 0-100: upper end of the 95 % interval of all time that may have been waiting for the object; NULL: no object, or the sampler does not show waits
  cost_columns(t, r, coalesce(w.period, 0))
FROM totals AS t
CROSS JOIN run AS r
LEFT JOIN objects AS o ON o.id = t.object_id
LEFT JOIN other_waits AS w ON w.object_id = t.object_id
WHERE t.scope = 'object';
