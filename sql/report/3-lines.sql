-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns the source lines with the highest cost, including waits for unknown objects. If no cost was measured, returns the lines with most
-- accesses; with too few samples, those with most samples. Code without line numbers counts as one line per function. Lines of less than 1
-- % are left out. A parallel region has the name of the function around it, unless two rows would then be equal. "called under": for a line of a library, the program's own code that calls the library, directly or not; NULL: not known.
WITH
  cost AS (
    SELECT l.function, l.file, l.line, l.samples, library_code(l.file, d) AS inside,
      r.cost + r.lost_cost > 0 AS measured,
      iif(claims((r.waits + r.lost_waits), r.addressed), coalesce(l.cost_pct, l.access_pct), NULL) AS pct,
      coalesce(l.cost_low_pct, l.access_low_pct) AS low, coalesce(l.cost_high_pct, l.access_high_pct) AS high
    FROM line_costs AS l
    CROSS JOIN totals AS r
    LEFT JOIN instructions AS i ON i.id = l.instruction_id
    LEFT JOIN dsos AS d ON d.id = i.dso_id
    WHERE r.scope = 'run'
  ),
  shown AS MATERIALIZED (
    SELECT *
    FROM cost
    WHERE pct IS NULL OR pct >= 1
    ORDER BY pct DESC, samples DESC, function, line
    LIMIT 5
  ),
  inside AS MATERIALIZED (
    SELECT * FROM shown WHERE inside
  ),
  called AS MATERIALIZED (
    SELECT * FROM callers_of(inside)
  )
SELECT
  iif(c.measured AND c.pct IS NOT NULL, printf('%.1f %%', c.pct), NULL) AS cost,
  iif(NOT c.measured AND c.pct IS NOT NULL, printf('%.1f %%', c.pct), NULL) AS accesses,
  iif(c.pct IS NULL, NULL, interval_text(c.low, c.high)) AS "95 %",
  iif(has_counts(), short_count(c.samples), NULL) AS counted,
  iif(has_counts(), NULL, c.samples) AS samples,
  iif(c.line IS NULL OR count(*) OVER (PARTITION BY source_code(c.function), c.file, c.line) > 1, short_code(c.function), source_code(c.function)) AS function,
  file_name(c.file) || ':' || c.line AS line,
  f.caller AS "called under"
FROM shown AS c
LEFT JOIN called AS f ON f.function IS c.function AND f.file IS c.file AND f.line IS c.line
ORDER BY c.pct DESC, c.samples DESC, c.function, c.line;
