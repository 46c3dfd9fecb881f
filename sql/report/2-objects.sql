-- SPDX-License-Identifier: GPL-2.0-or-later
-- The objects that cost most. cost: share of all waiting time (timer), waits (cycles) or latency (hardware); empty where none
-- was measured: then accesses rank. Waits whose address is lost are a row of their own. 95 %: Wilson interval of the
-- share by count. Sizes of what has no extent of its own are empty, "~" is an estimate.
WITH
  total AS (
    SELECT sum(wait_ns + lost_wait_ns) AS wait, sum(waits + lost_waits) AS waits, sum(weight) AS weight FROM accesses
  ),
  object AS (
    SELECT object_id, object, kind, size_bytes, accesses, threads, remote_pct, wait_ns, waits, weight_sum
    FROM object_latency
    UNION ALL
    SELECT NULL, '[not known: the address is gone after the access]', NULL, NULL, sum(lost_waits), count(DISTINCT iif(lost_waits > 0, thread_id, NULL)), NULL, sum(lost_wait_ns), sum(lost_waits), 0
    FROM accesses
    HAVING sum(lost_waits) > 0
  ),
  cost AS (
    SELECT o.*, t.waits AS n,
      CASE
        WHEN t.wait > 0 THEN 100.0 * o.wait_ns / t.wait
        WHEN t.waits > 0 THEN 100.0 * o.waits / t.waits
        WHEN t.weight > 0 THEN 100.0 * o.weight_sum / t.weight
      END AS pct
    FROM object AS o, total AS t
  )
SELECT
  c.object_id AS id,
  iif(c.pct IS NULL, NULL, printf('%.1f %%', c.pct)) AS cost,
  iif(
    c.n > 0,
    printf(
      '%.1f-%.1f',
      wilson_low(c.waits, c.n),
      wilson_high(c.waits, c.n)
    ),
    NULL
  ) AS "95 %",
  c.accesses AS accesses,
  c.threads AS threads,
  iif(c.remote_pct IS NOT NULL AND (SELECT count(*) FROM nodes) > 1, printf('%.0f %%', c.remote_pct), NULL) AS remote,
  iif(x.estimated, '~', '') || CASE
    WHEN c.size_bytes >= 1 << 30 THEN printf('%.1f GiB', c.size_bytes / 1073741824.0)
    WHEN c.size_bytes >= 1 << 20 THEN printf('%.1f MiB', c.size_bytes / 1048576.0)
    WHEN c.size_bytes >= 1 << 10 THEN printf('%.1f KiB', c.size_bytes / 1024.0)
    WHEN c.size_bytes > 0 THEN c.size_bytes || ' B'
  END AS size,
  c.kind AS kind,
  c.object AS object,
  coalesce(
    coalesce(x.function || ' ', '') || replace(f.path, rtrim(f.path, replace(f.path, '/', '')), '') || coalesce(':' || x.line, ''),
    x.function, d.short_name, ld.short_name
  ) AS "from"
FROM cost AS c
LEFT JOIN objects AS x ON x.id = c.object_id
LEFT JOIN dsos AS d ON d.id = x.dso_id
LEFT JOIN files AS f ON f.id = x.file_id
LEFT JOIN locations AS l ON l.id = x.location_id
LEFT JOIN dsos AS ld ON ld.id = l.dso_id
WHERE c.pct IS NULL OR c.pct >= 0.05
ORDER BY c.pct DESC, c.accesses DESC, c.object_id
LIMIT 10;
