-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   function_latency
-- summary: What memory costs in each function: waiting time (timer) or latency (hardware).
-- param:   top 20 rows at most
-- column:  function    its name; [file] where there is no symbol
-- column:  dso         the file it is in
-- column:  samples     samples in it
-- column:  time_ms     thread time spent in it, ms (timer)
-- column:  accesses    samples with a data address
-- column:  wait_ms     waiting time at memory accesses, ms (timer)
-- column:  wait_pct    share of all waiting time, 0-100
-- column:  wait_low    lower end of its 95 % interval
-- column:  wait_high   upper end
-- column:  lost_ms     part of wait_ms at accesses whose address is gone: no object has it
-- column:  weight_sum  sum of latencies, core cycles (hardware)
-- column:  weight_avg  mean latency, core cycles
-- column:  weight_pct  share of all latency, 0-100; a share of a sum, not of a count: no interval
-- column:  remote_pct  accesses to another node, 0-100; empty: homes are not known, or there is one node
-- column:  remote_low  lower end of its 95 % interval
-- column:  remote_high upper end
SELECT
  function,
  dso,
  samples,
  nullif(round(time_ns / 1e6, 3), 0) AS time_ms,
  accesses,
  nullif(round(wait_ns / 1e6, 3), 0) AS wait_ms,
  round(wait_pct, 1) AS wait_pct,
  round(wait_low_pct, 1) AS wait_low,
  round(wait_high_pct, 1) AS wait_high,
  nullif(round(lost_wait_ns / 1e6, 3), 0) AS lost_ms,
  nullif(weight_sum, 0) AS weight_sum,
  round(weight_avg, 1) AS weight_avg,
  round(weight_pct, 1) AS weight_pct,
  iif((SELECT count(*) FROM nodes) <> 1, round(remote_pct, 1), NULL) AS remote_pct,
  iif((SELECT count(*) FROM nodes) <> 1, round(remote_low_pct, 1), NULL) AS remote_low,
  iif((SELECT count(*) FROM nodes) <> 1, round(remote_high_pct, 1), NULL) AS remote_high
FROM function_latency
ORDER BY wait_ns DESC, weight_sum DESC, accesses DESC, samples DESC, function
LIMIT coalesce(:top, 20);
