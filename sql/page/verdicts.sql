-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   verdicts
-- summary: Whether remote memory is worth fixing, for the run and for each function.
-- keep:    200 rows at most
SELECT
  scope AS scope,         -- what the row is about: "run" or "function"
  function AS function,   -- for scope "function": name of the function
  measure AS measure,     -- what low, high and threshold are: "cycles per instruction" or "percent of thread time"
  remote_by AS remote_by, -- what counts as remote: "home": the page is on another node than the CPU; "hardware": the hardware says that another node served the access
  low AS low,             -- the measure if only accesses that are known to be remote count as remote; lower end of the 95 % interval
  high AS high,           -- the measure if unknown accesses count as remote, too; upper end of the 95 % interval
  threshold AS threshold, -- value above which remote memory is worth fixing
  known_pct AS known_pct, -- coverage: share of the samples or of the time of which it is known whether it is local or remote, 0-100
  verdict AS verdict      -- is it worth fixing: "worth it" (low is above threshold), "not worth it" (high is not), "cannot tell, because …"
FROM numa_verdicts
WHERE scope IN ('run', 'function')
ORDER BY scope = 'run' DESC, remote_by = 'hardware' AND known_pct >= 50 DESC, remote_by = 'home' DESC, high DESC, function;
