-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   functions
-- summary: Cost of memory by function.
-- keep:    600 rows at most
SELECT
  function AS function,           -- innermost source function, which may be inlined; [file] if it has no name
  dso AS dso,                     -- file that contains the code
  samples AS samples,             -- number of samples
  addressed AS addressed,         -- samples whose data address, or at least the object, is known (count)
  threads AS threads,             -- threads with an addressed sample (count)
  thread_time AS thread_time,     -- thread time, ns (timer), or core cycles
  page_costs()
FROM function_costs
ORDER BY cost DESC, access_pct DESC, samples DESC, function;
