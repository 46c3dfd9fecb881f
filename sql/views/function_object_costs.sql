-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW function_object_costs AS
-- view:    function_object_costs
-- summary: Cost of memory by function and object: code × data.
-- grain:   one row for each combination of function, symbol and object that has a sample; object_id NULL: samples without an object
WITH
  run AS MATERIALIZED run_totals()
SELECT
  i.symbol_id AS symbol_id,                             -- symbols.id; NULL: no symbol
  i.dso_id AS dso_id,                                   -- dsos.id; NULL: not known
  code_name(coalesce(l.function, s.name), d.short_name) AS function, -- function of the innermost frame, inlined or not; the symbol if there is no debug information; [file] if there is no symbol
  s.name AS symbol,                                     -- the symbol that contains the function, which may be inlined there; NULL: no symbol
  t.object_id AS object_id,                             -- objects.id; NULL: samples without an object, and waits with a lost address
  coalesce(o.name, '[no object]') AS object,            -- objects.name, such as the name of the variable
  o.kind AS kind,                                       -- kind of the object: "heap", "static", "stack" or "mapping"
  time_most(t, r, coalesce(w.period, 0)) AS time_most_pct, -- upper bound of time_pct, 0-100: upper end of the 95 % interval of all time that may have been waiting for the object; NULL: no object, or the sampler does not show waits
  cost_columns(t, r, coalesce(w.period, 0))
FROM totals AS t
CROSS JOIN run AS r
LEFT JOIN instructions AS i ON i.id = t.instruction_id
LEFT JOIN locations AS l ON l.id = i.location_id
LEFT JOIN symbols AS s ON s.id = i.symbol_id
LEFT JOIN dsos AS d ON d.id = i.dso_id
LEFT JOIN objects AS o ON o.id = t.object_id
LEFT JOIN other_waits AS w ON w.object_id = t.object_id
WHERE t.scope = 'function_object';
