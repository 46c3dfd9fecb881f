-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   lines
-- summary: Cost of memory by source line.
-- keep:    1000 rows at most
SELECT
  function AS function,           -- innermost source function, which may be inlined
  file AS file,                   -- source file; NULL: not known
  line AS line,                   -- source line; NULL: not known
  samples AS samples,             -- number of samples
  addressed AS addressed,         -- samples whose data address, or at least the object, is known (count)
  cost_pct AS cost_pct,           -- share of the run's cost, 0-100
  cost_low_pct AS cost_low_pct,   -- lower end of the 95 % interval of cost_pct
  cost_high_pct AS cost_high_pct, -- upper end of the 95 % interval of cost_pct
  lost_cost_pct AS lost_cost_pct, -- part of cost_pct: waits for accesses whose address and object are lost
  access_pct AS access_pct,       -- share of the run's accesses, 0-100; NULL: samples are of time, not of accesses
  access_low_pct AS access_low_pct, -- lower end of the 95 % interval of access_pct
  access_high_pct AS access_high_pct, -- upper end of the 95 % interval of access_pct
  latency_avg AS latency_avg,     -- mean latency of the samples that have one, core cycles (hardware)
  remote_pct AS remote_pct,       -- share of accesses to pages on another node among those whose nodes are known, 0-100
  remote_low_pct AS remote_low_pct, -- lower bound of the share of all addressed samples: those with an unknown node count as local
  remote_high_pct AS remote_high_pct, -- upper bound: those with an unknown node count as remote
  home_pct AS home_pct            -- coverage: share of addressed samples whose nodes are known, 0-100
FROM line_costs
ORDER BY cost DESC, access_pct DESC, samples DESC, function, file, line;
