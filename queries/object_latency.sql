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
-- column:  wait_pct    share of the waiting time at all objects, 0-100
-- column:  wait_low    lower end of its 95 % interval
-- column:  wait_high   upper end
-- column:  of_all_pct  share of all waiting time, also that whose address or object is not known, 0-100
-- column:  weight_sum  sum of latencies, core cycles (hardware)
-- column:  weight_avg  mean latency, core cycles
-- column:  weight_pct  share of all latency, 0-100
-- column:  remote_pct  accesses to another node, 0-100; empty: homes are not known
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
  round(wait_pct, 1) AS wait_pct,
  round(wait_low_pct, 1) AS wait_low,
  round(wait_high_pct, 1) AS wait_high,
  round(wait_of_all_pct, 1) AS of_all_pct,
  nullif(weight_sum, 0) AS weight_sum,
  round(weight_avg, 1) AS weight_avg,
  round(weight_pct, 1) AS weight_pct,
  round(remote_pct, 1) AS remote_pct
FROM object_latency
WHERE :kind IS NULL OR kind = :kind
ORDER BY wait_ns DESC, weight_sum DESC, accesses DESC, object_id
LIMIT coalesce(:top, 20);
