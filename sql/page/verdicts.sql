-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   verdicts
-- summary: Whether remote memory is worth a thought: of the run and of functions.
-- keep:    200
SELECT
  scope AS scope,         -- "run", "function"
  function AS function,   -- function: its name
  measure AS measure,     -- "cycles per instruction", "percent of thread time"
  remote_by AS remote_by, -- what remote goes by: "home", "hardware"
  low AS low,             -- what is known to be remote, lower end of the 95 % interval
  high AS high,           -- what is unknown counts as remote: upper end
  threshold AS threshold, -- above it remote memory is worth fixing
  known_pct AS known_pct, -- of what is known whether it is remote, 0-100
  verdict AS verdict      -- "worth it", "not worth it", "cannot tell, because ..."
FROM numa_verdicts
WHERE scope IN ('run', 'function')
ORDER BY scope = 'run' DESC, remote_by = 'hardware' AND known_pct >= 50 DESC, remote_by = 'home' DESC, high DESC, function;
