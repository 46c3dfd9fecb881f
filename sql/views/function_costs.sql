-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW function_costs AS
-- view:    function_costs
-- summary: What memory costs in each function.
-- grain:   one row per function and symbol it is in (inlined functions are rows of their own); code without a name is one row per file
-- source:  Helm & Taura 2017, listing 1, with waiting time where the sampler is the timer
WITH
  run AS MATERIALIZED run_totals()
SELECT
  i.symbol_id AS symbol_id,                             -- symbols.id; NULL: no symbol
  i.dso_id AS dso_id,                                   -- dsos.id; NULL: not known
  code_name(coalesce(l.function, s.name), d.short_name) AS function, -- innermost source function, inlined or not; else the symbol; [file] without one
  s.name AS symbol,                                     -- the symbol, which is the function that inlined it; NULL: no symbol
  d.short_name AS dso,                                  -- the file
  cost_columns(t, r, 0)
FROM totals AS t
CROSS JOIN run AS r
LEFT JOIN instructions AS i ON i.id = t.instruction_id
LEFT JOIN locations AS l ON l.id = i.location_id
LEFT JOIN symbols AS s ON s.id = i.symbol_id
LEFT JOIN dsos AS d ON d.id = i.dso_id
WHERE t.scope = 'function';
