-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW wrapper_costs AS
-- view:    wrapper_costs
-- summary: Cost of memory by wrapper: all objects that were allocated through one function together.
-- grain:   one row per wrapper of a sampled object, plus one row for sampled objects without a wrapper, and one row for samples without an object
WITH
  run AS MATERIALIZED run_totals(),
  member AS MATERIALIZED (SELECT id, min(id) OVER (PARTITION BY wrapper) AS first_id FROM objects),
  made AS grouped_objects(member),
  others AS grouped_waits(member),
  used AS grouped_totals(member)
SELECT
  t.object_id AS object_id,     -- objects.id of the first of these objects; NULL: samples without an object
  iif(t.object_id IS NULL, '[no object]', coalesce(o.wrapper, '[no wrapper]')) AS wrapper, -- objects.wrapper: the function that the allocating code calls to get memory, such as "xmalloc"
  m.objects AS objects,         -- number of these objects
  t.sampled AS sampled,         -- number of these objects that have a sample
  time_most(t, r, coalesce(w.period, 0)) AS time_most_pct, -- upper bound of time_pct, 0-100: upper end of the 95 % interval of all time that may have been waiting for these objects; NULL: no object, or the sampler does not show waits
  cost_columns(t, r, coalesce(w.period, 0))
FROM used AS t
CROSS JOIN run AS r
LEFT JOIN made AS m ON m.first_id = t.object_id
LEFT JOIN objects AS o ON o.id = t.object_id
LEFT JOIN others AS w ON w.first_id = t.object_id;
