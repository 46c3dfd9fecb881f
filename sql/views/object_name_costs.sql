-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW object_name_costs AS
-- view:    object_name_costs
-- summary: Cost of memory by name and place: all objects of one name, kind, function and line together.
-- grain:   one row for each combination of name, kind, file of the code, function, source file and line that has a sampled object, plus one row for samples without an object
-- note:    an allocating line that is reached on several call paths (as for the nodes of a container, or a pool) has one object per call path, and a
--          static variable has one object per process; this view adds such objects up
WITH
  run AS MATERIALIZED run_totals(),
  member AS MATERIALIZED (
    SELECT o.id AS id, o.size_bytes AS size_bytes, o.allocations AS allocations, o.estimated AS estimated, min(o.id) OVER (PARTITION BY object_site(o)) AS first_id
    FROM objects AS o
  ),
  made AS (
    SELECT first_id, count(*) AS objects, sum(size_bytes) AS size_bytes, sum(allocations) AS allocations, max(estimated) AS estimated
    FROM member
    GROUP BY first_id
  ),
  others AS grouped_waits(member),
  used AS grouped_totals(member)
SELECT
  o.id AS object_id,            -- objects.id of the first of these objects; NULL: samples without an object
  coalesce(o.name, '[no object]') AS object, -- name of these objects
  o.kind AS kind,               -- kind of the object: "heap", "static", "stack" or "mapping"
  o.function AS function,       -- objects.function: the allocating function; NULL: not known
  f.path AS file,               -- source file of the allocation or declaration; NULL: not known
  o.line AS line,               -- source line of the allocation or declaration; NULL: not known
  m.objects AS objects,         -- number of objects with this name
  t.sampled AS sampled,         -- number of these objects that have a sample
  iif(o.kind = 'heap', m.size_bytes, nullif(m.size_bytes, 0)) AS size_bytes, -- sum of objects.size_bytes, bytes (the peaks of heap objects may be at different times); NULL: not known
  m.allocations AS allocations, -- of a heap object: number of its blocks
  m.estimated AS estimated,     -- 1: size_bytes and allocations are estimates, because only one in N small blocks was recorded; the costs do not contain accesses to the other blocks
  time_most(t, r, coalesce(w.period, 0)) AS time_most_pct, -- upper bound of time_pct, 0-100: upper end of the 95 % interval of all time that may have been waiting for the object; NULL: no object, or the sampler does not show waits
  cost_columns(t, r, coalesce(w.period, 0))
FROM used AS t
CROSS JOIN run AS r
LEFT JOIN made AS m ON m.first_id = t.object_id
LEFT JOIN objects AS o ON o.id = t.object_id
LEFT JOIN others AS w ON w.first_id = t.object_id
LEFT JOIN files AS f ON f.id = o.file_id;
