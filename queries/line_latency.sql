-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   line_latency
-- summary: What memory costs at each source line.
-- param:   top 20 rows at most
-- param:   function - only this function: its name, with or without its arguments
-- column:  function    innermost function, inlined or not; [file] where there is no symbol
-- column:  file        source file
-- column:  line        source line
-- column:  samples     samples at it
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
  file,
  line,
  samples,
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
FROM line_latency
WHERE :function IS NULL OR :function IN (function, substr(function, 1, instr(function, '(') - 1))
ORDER BY wait_ns DESC, weight_sum DESC, accesses DESC, samples DESC, function, file, line
LIMIT coalesce(:top, 20);
