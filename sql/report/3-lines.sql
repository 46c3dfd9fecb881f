-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns the source lines with the highest cost, including waits for unknown objects. If no cost was measured, returns the lines with most
-- accesses; with too few samples, those with most samples. Code without line numbers counts as one line per function.
-- Lines of less than 1 % are left out.
WITH
  cost AS (
    SELECT l.function, l.file, l.line, l.samples,
      r.cost + r.lost_cost > 0 AS measured,
      iif(claims((r.waits + r.lost_waits), r.addressed), coalesce(l.cost_pct, l.access_pct), NULL) AS pct,
      coalesce(l.cost_low_pct, l.access_low_pct) AS low, coalesce(l.cost_high_pct, l.access_high_pct) AS high
    FROM line_costs AS l, totals AS r
    WHERE r.scope = 'run'
  )
SELECT
  iif(c.measured AND c.pct IS NOT NULL, printf('%.1f %%', c.pct), NULL) AS cost,
  iif(NOT c.measured AND c.pct IS NOT NULL, printf('%.1f %%', c.pct), NULL) AS accesses,
  iif(c.pct IS NULL, NULL, printf('%.1f-%.1f', c.low, c.high)) AS "95 %",
  c.samples AS samples,
  short_code(c.function) AS function,
  file_name(c.file) || ':' || c.line AS line
FROM cost AS c
WHERE c.pct IS NULL OR c.pct >= 1
ORDER BY c.pct DESC, c.samples DESC, c.function, c.line
LIMIT 5;
