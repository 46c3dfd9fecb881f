-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   object_latency
-- summary: What memory costs at each object.
-- param:   top 20 rows at most
-- param:   kind - only this kind: heap, static, stack, mapping
-- values:  kind heap, static, stack, mapping
-- column:  object_id   objects.id
-- column:  object      its name
-- column:  kind        heap, static, stack, mapping
-- column:  size_bytes  heap: most bytes alive at one time
-- column:  threads     threads that accessed it
-- column:  loads       reads
-- column:  stores      writes
-- column:  accesses    samples with a data address
-- column:  wait_ms     waiting time, ms (timer)
-- column:  cost_pct    share of all waiting time (timer) or latency (hardware), also of what has no known object, 0-100
-- column:  low         lower end of its 95 % interval (timer)
-- column:  high        upper end (timer)
-- column:  weight_sum  sum of latencies, core cycles (hardware)
-- column:  weight_avg  mean latency, core cycles
-- column:  remote_pct  accesses to another node, 0-100; empty: homes are not known, or there is one node
-- column:  remote_low  lower end of its 95 % interval
-- column:  remote_high upper end
SELECT
  object_id,
  object,
  kind,
  size_bytes,
  threads,
  loads,
  stores,
  accesses,
  nullif(round(wait_ns / 1e6, 3), 0) AS wait_ms,
  round(cost_pct, 1) AS cost_pct,
  round(cost_low_pct, 1) AS low,
  round(cost_high_pct, 1) AS high,
  nullif(weight_sum, 0) AS weight_sum,
  round(weight_avg, 1) AS weight_avg,
  iif((SELECT count(*) FROM nodes) <> 1, round(remote_pct, 1), NULL) AS remote_pct,
  iif((SELECT count(*) FROM nodes) <> 1, round(remote_low_pct, 1), NULL) AS remote_low,
  iif((SELECT count(*) FROM nodes) <> 1, round(remote_high_pct, 1), NULL) AS remote_high
FROM object_latency
WHERE :kind IS NULL OR kind = :kind
ORDER BY wait_ns DESC, weight_sum DESC, accesses DESC, object_id
LIMIT coalesce(:top, 20);
