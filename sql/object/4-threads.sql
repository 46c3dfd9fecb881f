-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns the threads that use one object (:id). The columns `cost` and `accesses` show which
-- percentage of the run's cost or accesses comes from the thread's use of the object; empty: not
-- measured, or too few samples.
WITH
  used AS (
    SELECT *, (SELECT claims((waits + lost_waits), addressed) FROM totals WHERE scope = 'run') AS claim
    FROM object_thread_costs
    WHERE object_id = :id
  )
SELECT
  tid, comm AS thread, iif(claim AND cost_pct IS NOT NULL, printf('%.1f %%', cost_pct), NULL) AS cost,
  iif(claim AND cost_pct IS NULL AND access_pct IS NOT NULL, printf('%.1f %%', access_pct), NULL) AS accesses,
  iif(claim AND coalesce(cost_pct, access_pct) IS NOT NULL, interval_text(coalesce(cost_low_pct, access_low_pct), coalesce(cost_high_pct, access_high_pct)), NULL) AS "95 %",
  iif(has_counts(), NULL, addressed) AS samples, iif(has_counts(), short_count(addressed), NULL) AS counted, iif(has_counts(), short_count(loads), loads) AS loads, iif(has_counts(), short_count(stores), stores) AS stores, iif(remote_pct IS NULL, NULL, printf('%.0f %% (%.0f-%.0f)', remote_pct, remote_low_pct, remote_high_pct)) AS remote
FROM used
ORDER BY cost_pct DESC, access_pct DESC, addressed DESC, tid
LIMIT 8;
