-- SPDX-License-Identifier: GPL-2.0-or-later
-- The source lines that cost most, with what waited there for objects that are not known; where nothing was measured the lines
-- with most accesses, with a handful those with most samples. Code without lines counts as one line for each function.
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
  replace(c.file, rtrim(c.file, replace(c.file, '/', '')), '') || ':' || c.line AS line
FROM cost AS c
WHERE c.pct IS NULL OR c.pct >= 0.05
ORDER BY c.pct DESC, c.samples DESC, c.function, c.line
LIMIT 5;
