-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW object_thread_costs AS
-- view:    object_thread_costs
-- summary: Cost of memory by thread and object: threads × objects.
-- grain:   one row for each combination of object and thread that has a sample; object_id NULL: samples without an object
WITH
  run AS MATERIALIZED run_totals()
SELECT
  t.object_id AS object_id, -- objects.id; NULL: samples without an object, and waits for unknown memory
  coalesce(o.name, '[no object]') AS object, -- objects.name, such as the name of the variable
  o.kind AS kind,           -- kind of the object: "heap", "static", "stack" or "mapping"
  t.thread_id AS thread_id, -- threads.id; NULL: not known
  h.pid AS pid,             -- the kernel's process number
  h.tid AS tid,             -- the kernel's thread number
  h.comm AS comm,           -- the thread's name
  time_most(t, r, coalesce(w.period, 0)) AS time_most_pct, -- upper bound of time_pct, 0-100: upper end of the 95 % interval of all time that may have been waiting for the object; NULL: no object, or the sampler does not show waits
  cost_columns(t, r, coalesce(w.period, 0))
FROM totals AS t
CROSS JOIN run AS r
LEFT JOIN objects AS o ON o.id = t.object_id
LEFT JOIN other_waits AS w ON w.object_id = t.object_id
LEFT JOIN threads AS h ON h.id = t.thread_id
WHERE t.scope = 'object_thread';
