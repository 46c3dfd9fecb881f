-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   contexts
-- summary: Which part of an object each thread uses, by calling context.
-- param:   object - the object: its id or name; of several of that name the one that cost most; if not said that of all but stacks
-- param:   by - context: function (if not said) and its caller, line, or procedure: with all that it calls
-- values:  by function, line, procedure
-- param:   top 40 rows at most
-- column:  object_id     objects.id
-- column:  object        the object's name
-- column:  function      innermost source function, inlined or not; by=procedure: one of the call path
-- column:  caller        by=function: the function that called it, or that it was inlined into
-- column:  line          by=line: source line
-- column:  tid           thread
-- column:  low           lowest offset, as a part of the object's extent, in [0, 1]
-- column:  high          highest offset
-- column:  drawn         drawn samples
-- column:  cost_pct      share of the object's cost, in the draw, 0-100; by=procedure: with all that it calls, so that they add up to more
-- column:  remote_pct    of those whose nodes are known, of pages on another node, 0-100; empty on one node
-- column:  remote_low    least share of all, lower end of the 95 % interval
-- column:  remote_high   largest share, upper end
-- column:  home_pct      drawn samples whose nodes are known, 0-100
-- column:  call_path_id  call path of one of them: memdb query call_stack path=ID
WITH RECURSIVE
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
      s.thread_id AS thread_id, s.call_path_id AS call_path_id, s.instruction_id AS instruction_id, min(s.place) AS low, max(s.place) AS high,
      count(*) AS drawn, sum(s.cost) AS cost, total(s.estimate) AS estimate, total(1.0 * s.estimate * s.estimate) AS estimate_sq,
      total(s.estimate * (s.home_node_id = s.cpu_node_id)) AS local, total(s.estimate * (s.home_node_id <> s.cpu_node_id)) AS remote
    FROM drawn_samples AS s
    WHERE s.object_id = (SELECT id FROM chosen)
    GROUP BY s.thread_id, s.call_path_id, s.instruction_id
  ),
  up (rank, call_path_id, place, id) AS ( -- the frames above each call path; recursion counts once
    SELECT 0, call_path_id, call_path_id, call_path_id FROM (SELECT DISTINCT call_path_id FROM access WHERE :by = 'procedure')
    UNION ALL
    SELECT up.rank + 1, up.call_path_id, up.place, p.parent_id
    FROM up JOIN call_paths AS p ON p.id = up.id
    WHERE p.parent_id < up.id
  ),
  procedure AS MATERIALIZED (
    SELECT DISTINCT up.call_path_id AS call_path_id, s.name AS name
    FROM up JOIN call_paths AS p ON p.id = up.id JOIN symbols AS s ON s.id = p.symbol_id
  ),
  context AS (
    SELECT
      coalesce(l.function, y.name, '[unknown]') AS function, iif(:by = 'line', l.line, NULL) AS line,
      iif(:by = 'line', NULL, coalesce(n.function, CASE c.kind WHEN 'root' THEN NULL WHEN 'truncated' THEN '[unknown]' ELSE coalesce(x.function, z.name, '[unknown]') END)) AS caller,
      a.*
    FROM access AS a
    LEFT JOIN instructions AS i ON i.id = a.instruction_id
    LEFT JOIN locations AS l ON l.id = i.location_id
    LEFT JOIN symbols AS y ON y.id = i.symbol_id
    LEFT JOIN call_paths AS p ON p.id = a.call_path_id
    LEFT JOIN call_paths AS c ON c.id = p.parent_id
    LEFT JOIN locations AS x ON x.id = c.location_id
    LEFT JOIN symbols AS z ON z.id = c.symbol_id
    LEFT JOIN inlined_frames AS n ON n.location_id = i.location_id AND n.depth = 1
    WHERE coalesce(:by, 'function') <> 'procedure'
    UNION ALL
    SELECT p.name, NULL, NULL, a.*
    FROM access AS a
    JOIN procedure AS p ON p.call_path_id = a.call_path_id
    WHERE :by = 'procedure'
  ),
  part AS (
    SELECT function, caller, line, thread_id, min(low) AS low, max(high) AS high, sum(drawn) AS drawn,
      sum(cost) AS cost, sum(estimate) AS estimate, sum(estimate_sq) AS estimate_sq, sum(local) AS local, sum(remote) AS remote, min(call_path_id) AS call_path_id,
      sum(sum(cost)) OVER (PARTITION BY function, caller, line) AS context_cost,
      sum(sum(drawn)) OVER (PARTITION BY function, caller, line) AS context_drawn
    FROM context
    GROUP BY function, caller, line, thread_id
  )
SELECT
  o.id AS object_id,
  o.name AS object,
  p.function AS function,
  p.caller AS caller,
  p.line AS line,
  t.tid AS tid,
  round(p.low, 3) AS low,
  round(p.high, 3) AS high,
  p.drawn AS drawn,
  round(100.0 * p.cost / nullif((SELECT sum(cost) FROM access), 0), 1) AS cost_pct,
  iif((SELECT count(*) FROM nodes) <> 1, round(100.0 * p.remote / nullif(p.local + p.remote, 0), 1), NULL) AS remote_pct,
  iif((SELECT count(*) FROM nodes) <> 1 AND p.local + p.remote > 0, round(max(0, 100.0 * (p.remote * p.estimate + 1.9208 * p.estimate_sq - 1.96 * sqrt(p.remote * (p.estimate - p.remote) * p.estimate_sq + 0.9604 * p.estimate_sq * p.estimate_sq)) / (p.estimate * p.estimate + 3.8416 * p.estimate_sq)), 1), NULL) AS remote_low,
  iif((SELECT count(*) FROM nodes) <> 1 AND p.local + p.remote > 0, round(min(100, 100.0 * ((p.estimate - p.local) * p.estimate + 1.9208 * p.estimate_sq + 1.96 * sqrt((p.estimate - p.local) * (p.estimate - (p.estimate - p.local)) * p.estimate_sq + 0.9604 * p.estimate_sq * p.estimate_sq)) / (p.estimate * p.estimate + 3.8416 * p.estimate_sq)), 1), NULL) AS remote_high,
  iif((SELECT count(*) FROM nodes) <> 1, round(100.0 * (p.local + p.remote) / p.estimate, 1), NULL) AS home_pct,
  p.call_path_id AS call_path_id
FROM part AS p
CROSS JOIN chosen AS o
LEFT JOIN threads AS t ON t.id = p.thread_id
ORDER BY p.context_cost DESC, p.context_drawn DESC, p.function, p.caller, p.line, p.low, t.tid
LIMIT coalesce(:top, 40);
