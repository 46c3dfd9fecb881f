-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW line_costs AS
-- view:    line_costs
-- summary: Cost of memory by source line.
-- grain:   one row for each combination of function, file and line (of the innermost frame); code without line numbers has one row per function
WITH
  run AS MATERIALIZED run_totals()
SELECT
  code_name(coalesce(l.function, s.name), d.short_name) AS function, -- function of the innermost frame, inlined or not; the symbol if there is no debug information; [file] if there is no symbol
  f.path AS file,                                       -- source file; NULL: not known
  l.line AS line,                                       -- source line; NULL: not known
  t.instruction_id AS instruction_id,                   -- key of the row: instructions.id of the line's first instruction; NULL: no instruction is known
  cost_columns(t, r, 0)
FROM totals AS t
CROSS JOIN run AS r
LEFT JOIN instructions AS i ON i.id = t.instruction_id
LEFT JOIN locations AS l ON l.id = i.location_id
LEFT JOIN symbols AS s ON s.id = i.symbol_id
LEFT JOIN dsos AS d ON d.id = i.dso_id
LEFT JOIN files AS f ON f.id = l.file_id
WHERE t.scope = 'line';
