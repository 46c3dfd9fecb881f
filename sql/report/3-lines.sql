-- SPDX-License-Identifier: GPL-2.0-or-later
-- The source lines that cost most, by the same measure.
WITH
  total AS (
    SELECT sum(wait_ns) AS wait, sum(weight_sum) AS weight, sum(accesses) AS accesses FROM line_latency
  )
SELECT
  printf('%.1f %%', CASE WHEN t.wait > 0 THEN wait_pct WHEN t.weight > 0 THEN weight_pct ELSE 100.0 * l.accesses / t.accesses END) AS cost,
  l.samples AS samples,
  l.function AS function,
  coalesce(replace(l.file, rtrim(l.file, replace(l.file, '/', '')), '') || ':' || l.line, '') AS line
FROM line_latency AS l, total AS t
WHERE l.accesses > 0
ORDER BY CASE WHEN t.wait > 0 THEN l.wait_ns WHEN t.weight > 0 THEN l.weight_sum ELSE l.accesses END DESC, l.samples DESC, l.function, l.line
LIMIT 5;
