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
  page_costs()
FROM line_costs
ORDER BY cost DESC, access_pct DESC, samples DESC, function, file, line;
