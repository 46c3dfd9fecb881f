-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW function_costs AS
-- view:    function_costs
-- summary: Cost of memory by function.
-- grain:   one row per function and symbol that contains it, so an inlined function has rows of its own; code without a function name has one
--          row per file
-- source:  Helm & Taura 2017, listing 1; with the timer, waiting time replaces latency
WITH
  run AS MATERIALIZED run_totals()
SELECT
  i.symbol_id AS symbol_id,                             -- symbols.id; NULL: no symbol
  i.dso_id AS dso_id,                                   -- dsos.id; NULL: not known
  code_name(coalesce(l.function, s.name), d.short_name) AS function, -- function of the innermost frame, inlined or not; the symbol if there is no debug information; [file] if there is no symbol
  s.name AS symbol,                                     -- the symbol that contains the function, which may be inlined there; NULL: no symbol
  d.short_name AS dso,                                  -- the file that contains the code
  t.instruction_id AS instruction_id,                   -- key of the row: instructions.id of the function's first instruction; NULL: no instruction is known
  cost_columns(t, r, 0)
FROM totals AS t
CROSS JOIN run AS r
LEFT JOIN instructions AS i ON i.id = t.instruction_id
LEFT JOIN locations AS l ON l.id = i.location_id
LEFT JOIN symbols AS s ON s.id = i.symbol_id
LEFT JOIN dsos AS d ON d.id = i.dso_id
WHERE t.scope = 'function';
