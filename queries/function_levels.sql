-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   function_levels
-- summary: What served the accesses of each function: cache levels and memory (hardware samplers).
-- param:   top 50 rows at most
-- param:   function - only this function: its name, with or without its arguments
-- column:  function    its name; [file] where there is no symbol
-- column:  level       what served the access
-- column:  accesses    accesses
-- column:  pct         share of the function's accesses with a level, 0-100
-- column:  low         lower end of its 95 % interval
-- column:  high        upper end
-- column:  weight_avg  mean latency, core cycles
-- column:  weight_sum  sum of latencies, core cycles
SELECT
  function,
  level,
  accesses,
  round(accesses_pct, 1) AS pct,
  round(accesses_low_pct, 1) AS low,
  round(accesses_high_pct, 1) AS high,
  round(weight_avg, 1) AS weight_avg,
  weight_sum
FROM function_levels
WHERE :function IS NULL OR :function IN (function, substr(function, 1, instr(function, '(') - 1))
ORDER BY sum(weight_sum) OVER (PARTITION BY symbol_id, dso_id) DESC, sum(accesses) OVER (PARTITION BY symbol_id, dso_id) DESC,
  function, symbol_id, accesses DESC, level
LIMIT coalesce(:top, 50);
