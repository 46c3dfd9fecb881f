-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   lines
-- summary: Cost of memory by source line, and the text of the line.
-- keep:    1000 rows at most
SELECT
  function AS function,           -- function of the innermost frame, inlined or not
  file AS file,                   -- source file; NULL: not known
  line AS line,                   -- source line; NULL: not known
  samples AS samples,             -- number of samples at the line
  addressed AS addressed,         -- number of samples whose data address, or at least whose object, is known (the "addressed samples")
  accesses AS accesses,           -- objects and members that the line accesses, largest first; NULL: not known
  text AS text,                   -- text of the line; NULL: not stored
  page_costs()
FROM (
  SELECT c.*, a.accesses AS accesses, a.text AS text
  FROM line_costs AS c LEFT JOIN annotated_lines AS a ON a.function = c.function AND a.file = c.file AND a.line = c.line
)
ORDER BY cost DESC, access_pct DESC, samples DESC, function, file, line;
