-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   functions
-- summary: What memory costs in each function.
-- keep:    600
SELECT
  function AS function,           -- innermost source function, inlined or not; [file] without one
  dso AS dso,                     -- the file of the code
  samples AS samples,             -- samples (count)
  addressed AS addressed,         -- of these, with a data address (count)
  threads AS threads,             -- threads with an addressed sample (count)
  thread_time AS thread_time,     -- ns (timer), or core cycles
  cost_pct AS cost_pct,           -- share of all cost of the run, 0-100
  cost_low_pct AS cost_low_pct,   -- lower end of its 95 % interval
  cost_high_pct AS cost_high_pct, -- upper end
  lost_cost_pct AS lost_cost_pct, -- of cost_pct, waits for accesses with a lost address
  latency_avg AS latency_avg,     -- mean latency, core cycles (hardware)
  remote_pct AS remote_pct,       -- samples of pages on another node, of those whose nodes are known, 0-100
  home_pct AS home_pct            -- samples whose nodes are known, 0-100
FROM function_costs
ORDER BY cost DESC, samples DESC, function;
