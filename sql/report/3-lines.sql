-- SPDX-License-Identifier: GPL-2.0-or-later
-- The source lines that cost most, with what waited there for objects that are not known; where nothing was measured,
-- those with most samples. Code without lines counts as one line for each function.
WITH
  total AS (
    SELECT wait_ns AS wait, waits AS all_waits, weight_sum AS weight FROM shares WHERE of = 'run'
  ),
  line AS (
    SELECT function, file_id, line, samples, wait_ns AS wait, waits, weight_sum AS weight FROM shares WHERE of = 'line'
  ),
  cost AS (
    SELECT l.*, t.all_waits AS all_waits,
      CASE WHEN t.wait > 0 THEN 100.0 * l.wait / t.wait WHEN t.all_waits > 0 THEN 100.0 * l.waits / t.all_waits WHEN t.weight > 0 THEN 100.0 * l.weight / t.weight END AS pct
    FROM line AS l, total AS t
  )
SELECT
  iif(c.pct IS NULL, NULL, printf('%.1f %%', c.pct)) AS cost,
  iif(c.all_waits > 0, printf('%.1f-%.1f', wilson_low(c.waits, c.all_waits), wilson_high(c.waits, c.all_waits)), NULL) AS "95 %",
  c.samples AS samples,
  c.function AS function,
  replace(f.path, rtrim(f.path, replace(f.path, '/', '')), '') || ':' || c.line AS line
FROM cost AS c
LEFT JOIN files AS f ON f.id = c.file_id
WHERE c.pct IS NULL OR c.pct >= 0.05
ORDER BY c.pct DESC, c.samples DESC, c.function, c.line
LIMIT 5;
