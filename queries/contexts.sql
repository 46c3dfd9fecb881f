-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   contexts
-- summary: Part of an object that each thread uses, by calling context.
-- param:   object - the object: its id or name; if several objects have that name, the object with the highest cost; default: the object with the highest cost, except stacks
-- param:   by - calling context of a row: function (default): a function and its caller; line: a source line; procedure: a function including all functions that it calls
-- values:  by function, line, procedure
-- param:   top 40 rows at most
-- column:  object_id     objects.id
-- column:  object        name of the object
-- column:  function      function of the innermost frame, inlined or not; the symbol if the function is not known; [file] if there is no symbol; by=procedure: a function of the call path, inlined or not
-- column:  caller        by=function: the function that called this function, or into which it was inlined
-- column:  line          by=line: source line
-- column:  tid           thread
-- column:  lowest        lowest accessed offset, as a fraction of the object's extent (0 to 1)
-- column:  highest       highest accessed offset, as a fraction of the object's extent (0 to 1)
-- column:  drawn         number of drawn samples: these are all samples or, in a long recording, an even selection of them
-- column:  cost_pct      share of the run's cost, estimated from drawn samples, 0-100; by=procedure: including all functions that the function calls, so the rows add up to more than 100
-- column:  cost_low      lower end of the 95 % interval of cost_pct
-- column:  cost_high     upper end of the 95 % interval of cost_pct
-- column:  object_pct    share of the object's own cost, 0-100; if no cost was measured, of the object's samples (by Σ period)
-- column:  object_low    lower end of the 95 % interval of object_pct
-- column:  object_high   upper end of the 95 % interval of object_pct
-- column:  remote_pct    share of accesses to pages on a different node, among the samples whose nodes are known, 0-100; empty on a machine with one node
-- column:  remote_low    lower bound of remote_pct: counts samples with unknown nodes as local; lower end of the 95 % interval
-- column:  remote_high   upper bound of remote_pct: counts samples with unknown nodes as remote; upper end of the 95 % interval
-- column:  home_pct      coverage: share of drawn samples whose nodes are known, 0-100
-- column:  call_path_id  call path of one of these samples: memdb query call_stack path=ID
WITH RECURSIVE
  chosen AS MATERIALIZED (
    SELECT object_id AS id, object AS name
    FROM object_costs
    WHERE object_id IS NOT NULL AND iif(:object IS NULL, kind <> 'stack', :object IN (object_id, object))
    ORDER BY rank
    LIMIT 1
  ),
  access AS MATERIALIZED (
    SELECT
      d.thread_id AS thread_id, d.call_path_id AS call_path_id, d.instruction_id AS instruction_id, s.function AS function,
      iif(:by = 'line', NULL, s.caller) AS caller, iif(:by = 'line', s.line, NULL) AS line,
      min(d.place) AS low, max(d.place) AS high, sum(d.accesses) AS drawn, sum(d.cost) * d.one_in AS cost, sum(d.cost * d.cost) * d.one_in * d.one_in AS cost_sq, d.one_in AS one_in,
      total(d.estimate) AS estimate, total(d.estimate_sq) AS estimate_sq,
      total(d.estimate * (d.home_node_id = d.cpu_node_id)) AS local, total(d.estimate * (d.home_node_id <> d.cpu_node_id)) AS remote
    FROM drawn_samples AS d
    CROSS JOIN access_samples AS s ON s.sample_id = d.id
    WHERE d.object_id = (SELECT id FROM chosen)
    GROUP BY d.thread_id, d.call_path_id, d.instruction_id
  ),
  up (call_path_id, id) AS ( -- all callers of each call path, direct and indirect
    SELECT p.id, p.parent_id FROM call_paths AS p WHERE :by = 'procedure' AND p.id IN (SELECT call_path_id FROM access) AND p.parent_id < p.id
    UNION ALL
    SELECT up.call_path_id, p.parent_id FROM up JOIN call_paths AS p ON p.id = up.id WHERE p.parent_id < up.id
  ),
  procedure AS MATERIALIZED ( -- the functions of each call path; a recursive function has only one row
    SELECT a.call_path_id AS call_path_id, a.instruction_id AS instruction_id, a.function AS name
    FROM access AS a
    WHERE :by = 'procedure'
    UNION
    SELECT a.call_path_id, a.instruction_id, f.function
    FROM access AS a
    JOIN instructions AS i ON i.id = a.instruction_id
    JOIN location_frames AS f ON f.location_id = i.location_id
    WHERE :by = 'procedure'
    UNION
    SELECT a.call_path_id, a.instruction_id, f.function
    FROM access AS a
    JOIN up ON up.call_path_id = a.call_path_id
    JOIN call_paths AS p ON p.id = up.id
    JOIN location_frames AS f ON f.location_id = p.location_id
  ),
  context AS (
    SELECT a.function AS name, a.* FROM access AS a WHERE coalesce(:by, 'function') <> 'procedure'
    UNION ALL
    SELECT p.name, a.* FROM access AS a JOIN procedure AS p ON p.call_path_id IS a.call_path_id AND p.instruction_id = a.instruction_id
  ),
  part AS (
    SELECT name, iif(:by = 'procedure', NULL, caller) AS caller, line, thread_id, min(low) AS low, max(high) AS high, sum(drawn) AS drawn, sum(cost) AS cost,
      max(one_in) AS one_in, sum(estimate) AS estimate, sum(estimate_sq) AS estimate_sq, sum(local) AS local, sum(remote) AS remote,
      min(call_path_id) AS call_path_id
    FROM context
    GROUP BY 1, 2, 3, 4
  ),
  -- n: the total to which the object's shares refer: the object's cost or, if no cost was
  -- measured, the number of events that its samples represent
  whole AS (
    SELECT iif(total(cost) > 0, total(cost), total(estimate)) AS n, iif(total(cost) > 0, total(cost_sq), total(estimate_sq)) AS sq, total(cost) > 0 AS by_cost FROM access
  ),
  -- shares from 0 to 1: c of the run, o of the object, least and most the bounds of the remote
  -- share; c_sq, o_sq, e: the inverse of their effective sample sizes. NULL: not known, or one node
  share AS (
    SELECT
      p.*, sum(p.cost) OVER of_context AS context_cost, sum(p.estimate) OVER of_context AS context_estimate,
      min(1.0, p.cost / r.cost) AS c, r.sq * p.one_in / (r.cost * r.cost) AS c_sq,
      min(1.0, iif(w.by_cost, p.cost, p.estimate) / w.n) AS o, w.sq / (w.n * w.n) AS o_sq,
      iif(r.nodes <> 1 AND p.local + p.remote > 0, p.remote / p.estimate, NULL) AS least, 1 - p.local / p.estimate AS most, p.estimate_sq / (p.estimate * p.estimate) AS e
    FROM part AS p
    CROSS JOIN whole AS w
    CROSS JOIN (SELECT nullif(cost + lost_cost, 0) AS cost, cost_sq AS sq, (SELECT count(*) FROM nodes) AS nodes FROM totals WHERE scope = 'run') AS r
    WINDOW of_context AS (PARTITION BY p.name, p.caller, p.line)
  )
SELECT
  o.id AS object_id,
  o.name AS object,
  s.name AS function,
  s.caller AS caller,
  s.line AS line,
  t.tid AS tid,
  round(s.low, 3) AS lowest,
  round(s.high, 3) AS highest,
  s.drawn AS drawn,
  round(100 * s.c, 1) AS cost_pct,
  round(max(0, 100 * (s.c + 1.9208 * s.c_sq - 1.96 * sqrt(s.c * (1 - s.c) * s.c_sq + 0.9604 * s.c_sq * s.c_sq)) / (1 + 3.8416 * s.c_sq)), 1) AS cost_low,
  round(min(100, 100 * (s.c + 1.9208 * s.c_sq + 1.96 * sqrt(s.c * (1 - s.c) * s.c_sq + 0.9604 * s.c_sq * s.c_sq)) / (1 + 3.8416 * s.c_sq)), 1) AS cost_high,
  round(100 * s.o, 1) AS object_pct,
  round(max(0, 100 * (s.o + 1.9208 * s.o_sq - 1.96 * sqrt(s.o * (1 - s.o) * s.o_sq + 0.9604 * s.o_sq * s.o_sq)) / (1 + 3.8416 * s.o_sq)), 1) AS object_low,
  round(min(100, 100 * (s.o + 1.9208 * s.o_sq + 1.96 * sqrt(s.o * (1 - s.o) * s.o_sq + 0.9604 * s.o_sq * s.o_sq)) / (1 + 3.8416 * s.o_sq)), 1) AS object_high,
  iif(s.least IS NULL, NULL, round(100 * s.remote / (s.local + s.remote), 1)) AS remote_pct,
  round(max(0, 100 * (s.least + 1.9208 * s.e - 1.96 * sqrt(s.least * (1 - s.least) * s.e + 0.9604 * s.e * s.e)) / (1 + 3.8416 * s.e)), 1) AS remote_low,
  iif(s.least IS NULL, NULL, round(min(100, 100 * (s.most + 1.9208 * s.e + 1.96 * sqrt(s.most * (1 - s.most) * s.e + 0.9604 * s.e * s.e)) / (1 + 3.8416 * s.e)), 1)) AS remote_high,
  iif(s.least IS NULL, NULL, round(100 * (s.local + s.remote) / s.estimate, 1)) AS home_pct,
  s.call_path_id AS call_path_id
FROM share AS s
CROSS JOIN chosen AS o
LEFT JOIN threads AS t ON t.id = s.thread_id
ORDER BY s.context_cost DESC, s.context_estimate DESC, s.name, s.caller, s.line, s.low, t.tid
LIMIT coalesce(:top, 40);
