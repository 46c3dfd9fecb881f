-- SPDX-License-Identifier: GPL-2.0-or-later
-- The objects that cost most; behind them those that the first-level cache holds, whatever time passed at them; the rest in one row. cost: share of
-- all cost, which is waiting time (timer), cycles or latency (hardware); empty where none was measured, or a handful: then samples rank. What has no
-- object is in two rows of its own: waits of which is not known for what, and addresses that belong to nothing known. 95 %: interval of the share.
-- at most: with all waits that may have been for it (timer, cycles). remote: known share and its range. Sizes of what has no extent of its
-- own are empty, "~" is an estimate.
WITH
  run AS MATERIALIZED run_totals(),
  cost AS (
    SELECT object_id, object, kind, size_bytes, addressed AS samples, threads, remote_pct, remote_low_pct, remote_high_pct, cost_pct AS pct, cost_low_pct AS low, cost_high_pct AS high, cost_most_pct AS most
    FROM object_costs
    WHERE object_id IS NOT NULL AND addressed > 0
    UNION ALL
    SELECT NULL, '[not known: the address is gone after the access]', NULL, NULL, t.lost_waits, NULL, NULL, NULL, NULL,
      100.0 * t.lost_cost / nullif(r.cost + r.lost_cost, 0), share_low(t.lost_cost, (r.cost + r.lost_cost), r.cost_sq), share_high(t.lost_cost, (r.cost + r.lost_cost), r.cost_sq), NULL
    FROM totals AS t, run AS r
    WHERE t.scope = 'object' AND t.object_id IS NULL AND t.lost_waits > 0
    UNION ALL
    SELECT NULL, '[no object known at that address]', NULL, NULL, t.addressed, t.threads, NULL, NULL, NULL,
      100.0 * t.cost / nullif(r.cost + r.lost_cost, 0), share_low(t.cost, (r.cost + r.lost_cost), r.cost_sq), share_high(t.cost, (r.cost + r.lost_cost), r.cost_sq), NULL
    FROM totals AS t, run AS r
    WHERE t.scope = 'object' AND t.object_id IS NULL AND t.addressed > 0
  ),
  claimed AS (
    SELECT
      c.*, iif(claims((r.waits + r.lost_waits), r.addressed), c.pct, NULL) AS claim,
      x.id IS NOT NULL AND claims((r.waits + r.lost_waits), r.addressed) AND r.unit = 'period' AND stays_cached(x, t) AS cached
    FROM cost AS c
    CROSS JOIN run AS r
    LEFT JOIN objects AS x ON x.id = c.object_id
    LEFT JOIN totals AS t ON t.scope = 'object' AND t.object_id = x.id
  ),
  ranked AS (
    SELECT *, row_number() OVER (ORDER BY claim IS NOT NULL AND claim < 0.05, cached, claim DESC, samples DESC, object_id) AS place FROM claimed
  ),
  shown AS (
    SELECT place, object_id, object, kind, size_bytes, samples, threads, remote_pct, remote_low_pct, remote_high_pct, claim AS pct, low, high, most
    FROM ranked
    WHERE place <= 10 AND (claim IS NULL OR claim >= 0.05)
    UNION ALL
    SELECT 11, NULL, count(*) || iif(count(*) = 1, ' more object', ' more objects'), NULL, NULL, sum(c.samples), NULL, NULL, NULL, NULL, sum(c.claim),
      share_low((sum(c.claim) * (max(r.cost) + max(r.lost_cost)) / 100), (max(r.cost) + max(r.lost_cost)), max(r.cost_sq)),
      share_high((sum(c.claim) * (max(r.cost) + max(r.lost_cost)) / 100), (max(r.cost) + max(r.lost_cost)), max(r.cost_sq)), NULL
    FROM ranked AS c, run AS r
    WHERE c.place > 10 OR c.claim < 0.05
    HAVING sum(c.claim) >= 0.05 OR (count(*) > 0 AND sum(c.claim) IS NULL)
  )
SELECT
  c.object_id AS id,
  iif(c.pct IS NULL, NULL, printf('%.1f %%', c.pct)) AS cost,
  iif(c.pct IS NULL, NULL, printf('%.1f-%.1f', c.low, c.high)) AS "95 %",
  iif(c.pct IS NULL OR c.most IS NULL, NULL, printf('%.1f', c.most)) AS "at most",
  c.samples AS samples,
  c.threads AS threads,
  iif(c.remote_pct IS NOT NULL, printf('%.0f %% (%.0f-%.0f)', c.remote_pct, c.remote_low_pct, c.remote_high_pct), NULL) AS remote,
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
FROM shown AS c
LEFT JOIN objects AS x ON x.id = c.object_id
LEFT JOIN dsos AS d ON d.id = x.dso_id
LEFT JOIN files AS f ON f.id = x.file_id
LEFT JOIN locations AS l ON l.id = x.location_id
LEFT JOIN dsos AS ld ON ld.id = l.dso_id
ORDER BY c.place;
