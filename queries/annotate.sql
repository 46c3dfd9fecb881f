-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   annotate
-- summary: Source lines with what they cost, what they access there, and the pages they touched first.
-- param:   function - only lines of this function: its name, with or without its arguments
-- param:   file - only this file: its path or the end of it
-- param:   object - only lines that access this object: its id or name
-- param:   top 60 rows at most, of those that cost most
-- column:  function    innermost source function, inlined or not
-- column:  file        source file
-- column:  line        source line
-- column:  cost_pct    share of all cost of the run, 0-100
-- column:  low         lower end of its 95 % interval
-- column:  high        upper end
-- column:  samples     samples
-- column:  loads       samples with an address that read
-- column:  stores      samples with an address that write
-- column:  latency     mean latency, core cycles (hardware)
-- column:  remote_pct  of the samples whose nodes are known, those of pages on another node, 0-100; empty on one node
-- column:  first_touches pages that the line touched first
-- column:  accesses    the members and objects that its drawn samples hit, most samples first
-- column:  source      the line's text; empty: it was not there at the import
WITH
  hit AS MATERIALIZED (
    SELECT coalesce(l.function, y.name) AS function, l.file_id AS file_id, l.line AS line, s.object_id AS object_id, o.name AS object, s.expression AS expression, count(*) AS drawn
    FROM drawn_samples AS s
    JOIN instructions AS i ON i.id = s.instruction_id
    JOIN locations AS l ON l.id = i.location_id
    LEFT JOIN symbols AS y ON y.id = i.symbol_id
    JOIN objects AS o ON o.id = s.object_id
    WHERE l.file_id IS NOT NULL AND l.line IS NOT NULL
    GROUP BY 1, 2, 3, 4, 6
  ),
  named AS (
    SELECT file_id, line, function, group_concat(expression, ', ') AS text
    FROM (SELECT file_id, line, function, expression FROM hit GROUP BY file_id, line, function, expression ORDER BY sum(drawn) DESC, expression)
    GROUP BY file_id, line, function
  ),
  touched AS (
    SELECT l.file_id AS file_id, l.line AS line, l.function AS function, count(*) AS pages
    FROM fault_data AS d
    JOIN access_kinds AS k ON k.id = d.kind_id AND k.first = 1
    JOIN instructions AS i ON i.id = d.instruction_id
    JOIN locations AS l ON l.id = coalesce(i.caller_id, i.location_id)
    GROUP BY 1, 2, 3
  )
SELECT
  c.function AS function,
  c.file AS file,
  c.line AS line,
  round(c.cost_pct, 1) AS cost_pct,
  round(c.cost_low_pct, 1) AS low,
  round(c.cost_high_pct, 1) AS high,
  c.samples AS samples,
  c.loads AS loads,
  c.stores AS stores,
  round(c.latency_avg, 1) AS latency,
  round(c.remote_pct, 1) AS remote_pct,
  w.pages AS first_touches,
  n.text AS accesses,
  trim(x.text, char(9) || ' ') AS source
FROM line_costs AS c
LEFT JOIN files AS f ON f.path = c.file
LEFT JOIN source_lines AS x ON x.file_id = f.id AND x.line = c.line
LEFT JOIN named AS n ON n.file_id = f.id AND n.line = c.line AND n.function = c.function
LEFT JOIN touched AS w ON w.file_id = f.id AND w.line = c.line AND w.function = c.function
WHERE
  c.line IS NOT NULL
  AND (:function IS NULL OR c.function = :function OR substr(c.function, 1, length(:function) + 1) = :function || '(')
  AND (:file IS NULL OR c.file = :file OR substr(c.file, -length(:file) - 1) = '/' || :file)
  AND (:object IS NULL OR (f.id, c.line) IN (SELECT file_id, line FROM hit WHERE object_id = :object OR object = :object))
ORDER BY c.cost DESC, c.samples DESC, c.file, c.line, c.function
LIMIT coalesce(:top, 60);
