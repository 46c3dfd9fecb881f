-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns the threads that use one object (:id).
SELECT
  tid, comm AS thread, iif(cost_pct IS NULL, NULL, printf('%.1f %%', cost_pct)) AS cost, iif(cost_pct IS NULL, NULL, printf('%.1f-%.1f', cost_low_pct, cost_high_pct)) AS "95 %",
  addressed AS samples, loads, stores, iif(remote_pct IS NULL, NULL, printf('%.0f %% (%.0f-%.0f)', remote_pct, remote_low_pct, remote_high_pct)) AS remote
FROM object_thread_costs
WHERE object_id = :id
ORDER BY cost DESC, addressed DESC, tid
LIMIT 8;
