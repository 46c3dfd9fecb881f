-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   functions
-- summary: Cost of memory by function.
-- keep:    600 rows at most
SELECT
  function AS function,           -- function of the innermost frame, inlined or not; [file] if it has no name
  nullif(symbol, function) AS symbol, -- the symbol that contains the function, if its name differs, as that of a function into which it was inlined
  dso AS dso,                     -- file that contains the code
  samples AS samples,             -- number of samples in the function
  addressed AS addressed,         -- number of samples whose data address, or at least whose object, is known (the "addressed samples")
  threads AS threads,             -- number of threads with an addressed sample
  thread_time AS thread_time,     -- time that threads ran in the function, in ns (timer) or core cycles (cycle counter)
  page_costs()
FROM function_costs
ORDER BY cost DESC, access_pct DESC, samples DESC, function;
