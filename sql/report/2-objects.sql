-- SPDX-License-Identifier: GPL-2.0-or-later
-- The objects that cost most. cost: share of all waiting time (timer), waits (cycles) or latency (hardware); empty where none
-- was measured: then accesses rank. Waits whose address is lost are a row of their own. 95 %: Wilson interval of the
-- share by count. Sizes of what has no extent of its own are empty, "~" is an estimate.
WITH
  total AS (
    SELECT wait_ns + lost_wait_ns AS wait, waits + lost_waits AS waits FROM thing_sums WHERE of = 'run'
  ),
  lost AS (
    SELECT sum(lost_waits) AS waits, sum(lost_wait_ns) AS wait_ns, count(iif(lost_waits > 0, thread_id, NULL)) AS threads
    FROM thing_sums
    WHERE of = 'thread'
  ),
  cost AS (
    SELECT object_id, object, kind, size_bytes, accesses, threads, remote_pct, remote_low_pct, remote_high_pct, cost_pct AS pct, cost_low_pct AS low, cost_high_pct AS high
    FROM object_latency
    UNION ALL
    SELECT NULL, '[not known: the address is gone after the access]', NULL, NULL, l.waits, l.threads, NULL, NULL, NULL,
      iif(t.wait > 0, 100.0 * l.wait_ns / t.wait, 100.0 * l.waits / t.waits), wilson_low(l.waits, t.waits), wilson_high(l.waits, t.waits)
    FROM lost AS l, total AS t
    WHERE l.waits > 0
  )
SELECT
  c.object_id AS id,
  iif(c.pct IS NULL, NULL, printf('%.1f %%', c.pct)) AS cost,
  iif(c.low IS NULL, NULL, printf('%.1f-%.1f', c.low, c.high)) AS "95 %",
  c.accesses AS accesses,
  c.threads AS threads,
  iif(c.remote_pct IS NOT NULL AND (SELECT count(*) FROM nodes) > 1, printf('%.0f %% (%.0f-%.0f)', c.remote_pct, c.remote_low_pct, c.remote_high_pct), NULL) AS remote,
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
