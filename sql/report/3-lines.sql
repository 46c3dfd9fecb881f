-- SPDX-License-Identifier: GPL-2.0-or-later
-- The source lines that cost most, with what waited there for objects that are not known; where nothing was measured,
-- those with most samples. Code without lines counts as one line for each function.
SELECT
  iif(cost_pct IS NULL, NULL, printf('%.1f %%', cost_pct)) AS cost,
  iif(cost_pct IS NULL, NULL, printf('%.1f-%.1f', cost_low_pct, cost_high_pct)) AS "95 %",
  samples,
  function,
  replace(file, rtrim(file, replace(file, '/', '')), '') || ':' || line AS line
FROM line_costs
WHERE cost_pct IS NULL OR cost_pct >= 0.05
ORDER BY cost_pct DESC, line_costs.samples DESC, function, line_costs.line
LIMIT 5;
