-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   verdicts
-- summary: Whether remote memory is worth fixing, for the run and for each function.
-- keep:    200 rows at most
SELECT
  scope AS scope,         -- what the row is about: "run" or "function"
  function AS function,   -- for scope "function": name of the function
  measure AS measure,     -- what low, high and threshold are: "cycles per instruction" or "percent of thread time"
  remote_by AS remote_by, -- what counts as remote: "home": the page is on a different node than the CPU; "hardware": according to the hardware, a different node served the access
  low AS low,             -- lower end of the 95 % interval of the measure if only accesses that are known to be remote count as remote
  high AS high,           -- upper end of the 95 % interval of the measure if every access that is not known to be local counts as remote
  threshold AS threshold, -- value above which remote memory is worth fixing
  known_pct AS known_pct, -- coverage: share of the samples or of the time that is known to be local or remote, 0-100
  verdict AS verdict      -- whether remote memory is worth fixing: "worth it" (low is above the threshold), "not worth it" (high is not above it), "cannot tell, because …"
FROM numa_verdicts
WHERE scope IN ('run', 'function')
ORDER BY scope = 'run' DESC, remote_by = 'hardware' AND known_pct >= 50 DESC, remote_by = 'home' DESC, high DESC, function;
