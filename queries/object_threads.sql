-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   object_threads
-- summary: Which thread uses which object.
-- param:   top 20 rows at most
-- param:   object - only this object: its id or name
-- column:  object_id   objects.id
-- column:  object      the object's name
-- column:  pid         process
-- column:  tid         thread
-- column:  comm        the thread's name
-- column:  loads       reads
-- column:  stores      writes
-- column:  accesses    samples with a data address
-- column:  wait_ms     waiting time, ms (timer)
-- column:  wait_pct    share of the waiting time at all objects, 0-100
-- column:  wait_low    lower end of its 95 % interval
-- column:  wait_high   upper end
-- column:  weight_sum  sum of latencies, core cycles (hardware)
-- column:  weight_avg  mean latency, core cycles
-- column:  weight_pct  share of all latency, 0-100; a share of a sum, not of a count: no interval
-- column:  remote_pct  accesses to another node, 0-100; empty: homes are not known, or there is one node
-- column:  remote_low  lower end of its 95 % interval
-- column:  remote_high upper end
SELECT
  object_id,
  object,
  pid,
  tid,
  comm,
  loads,
  stores,
  accesses,
  nullif(round(wait_ns / 1e6, 3), 0) AS wait_ms,
  round(wait_pct, 1) AS wait_pct,
  round(wait_low_pct, 1) AS wait_low,
  round(wait_high_pct, 1) AS wait_high,
  nullif(weight_sum, 0) AS weight_sum,
  round(weight_avg, 1) AS weight_avg,
  round(weight_pct, 1) AS weight_pct,
  iif((SELECT count(*) FROM nodes) <> 1, round(remote_pct, 1), NULL) AS remote_pct,
  iif((SELECT count(*) FROM nodes) <> 1, round(remote_low_pct, 1), NULL) AS remote_low,
  iif((SELECT count(*) FROM nodes) <> 1, round(remote_high_pct, 1), NULL) AS remote_high
FROM object_threads
WHERE :object IS NULL OR object_id = :object OR object = :object
ORDER BY wait_ns DESC, weight_sum DESC, accesses DESC, object_id, tid
LIMIT coalesce(:top, 20);
