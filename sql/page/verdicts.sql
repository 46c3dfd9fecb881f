-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   verdicts
-- summary: Whether remote memory is worth fixing, for the run and for each function.
-- keep:    200 rows at most
SELECT
  scope AS scope,         -- "run", "function"
  function AS function,   -- function: the function's name
  measure AS measure,     -- "cycles per instruction", "percent of thread time"
  remote_by AS remote_by, -- definition of remote: "home", "hardware"
  low AS low,             -- the measure, counting only accesses that are known to be remote; lower end of the 95 % interval
  high AS high,           -- the measure, counting unknown accesses as remote, too; upper end of the 95 % interval
  threshold AS threshold, -- value above which remote memory is worth fixing
  known_pct AS known_pct, -- coverage: share for which it is known whether it is remote, 0-100
  verdict AS verdict      -- "worth it", "not worth it", "cannot tell, because ..."
FROM numa_verdicts
WHERE scope IN ('run', 'function')
ORDER BY scope = 'run' DESC, remote_by = 'hardware' AND known_pct >= 50 DESC, remote_by = 'home' DESC, high DESC, function;
