-- SPDX-License-Identifier: GPL-2.0-or-later
-- The source lines that cost most, with what waited there for objects that are not known; where nothing was measured, or a handful,
-- those with most samples. Code without lines counts as one line for each function.
WITH
  cost AS (
    SELECT l.function, l.file, l.line, l.samples,
      iif(claims((r.waits + r.lost_waits), r.addressed), l.cost_pct, NULL) AS pct, l.cost_low_pct AS low, l.cost_high_pct AS high
    FROM line_costs AS l, totals AS r
    WHERE r.scope = 'run'
  )
SELECT
  iif(c.pct IS NULL, NULL, printf('%.1f %%', c.pct)) AS cost,
  iif(c.pct IS NULL, NULL, printf('%.1f-%.1f', c.low, c.high)) AS "95 %",
  c.samples AS samples,
  short_code(c.function) AS function,
  replace(c.file, rtrim(c.file, replace(c.file, '/', '')), '') || ':' || c.line AS line
FROM cost AS c
WHERE c.pct IS NULL OR c.pct >= 0.05
ORDER BY c.pct DESC, c.samples DESC, c.function, c.line
LIMIT 5;
