-- SPDX-License-Identifier: GPL-2.0-or-later
-- The objects that cost most. cost: share of the waiting time (timer) or latency (hardware) spent at objects.
WITH
  total AS (
    SELECT sum(wait_ns) AS wait, sum(weight_sum) AS weight, sum(accesses) AS accesses FROM object_latency
  ),
  cost AS (
    SELECT *,
      CASE WHEN t.wait > 0 THEN wait_pct WHEN t.weight > 0 THEN weight_pct ELSE 100.0 * o.accesses / t.accesses END AS pct
    FROM object_latency AS o, total AS t
  )
SELECT
  printf('%.1f %%', c.pct) AS cost,
  iif(c.wait_pct IS NOT NULL, printf('%.1f-%.1f', c.wait_low_pct, c.wait_high_pct), NULL) AS "95 %",
  c.accesses AS accesses,
  c.threads AS threads,
  CASE
    WHEN c.remote_pct IS NULL OR (SELECT count(*) FROM nodes) < 2 THEN NULL
    ELSE printf('%.0f %%', c.remote_pct)
  END AS remote,
  CASE
    WHEN c.size_bytes >= 1 << 30 THEN printf('%.1f GiB', c.size_bytes / 1073741824.0)
    WHEN c.size_bytes >= 1 << 20 THEN printf('%.1f MiB', c.size_bytes / 1048576.0)
    WHEN c.size_bytes >= 1 << 10 THEN printf('%.1f KiB', c.size_bytes / 1024.0)
    ELSE c.size_bytes || ' B'
  END AS size,
  c.kind AS kind,
  c.object AS object,
  CASE
    WHEN x.location_id IS NULL THEN d.short_name
    ELSE coalesce(l.function, '?') || coalesce(' ' || replace(f.path, rtrim(f.path, replace(f.path, '/', '')), '') || ':' || l.line, '')
  END AS "from"
FROM cost AS c
JOIN objects AS x ON x.id = c.object_id
LEFT JOIN dsos AS d ON d.id = x.dso_id
LEFT JOIN locations AS l ON l.id = x.location_id
LEFT JOIN files AS f ON f.id = l.file_id
ORDER BY c.pct DESC, c.accesses DESC, c.object_id
LIMIT 10;
