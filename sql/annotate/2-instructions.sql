-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns the instructions of drawn samples in :function or at :line (NULL: all lines) of :file, or in the :top functions with the highest cost. For a wait, this is the instruction
-- that waited, if known. The rows are sorted by symbol, symbols with the highest cost first. share and measure are as in 1-lines.sql. The cost
-- of a wait for a lost address counts for the instruction, but for no object.
WITH
  run AS MATERIALIZED run_totals(),
  hit AS MATERIALIZED (
    SELECT
      l.symbol_id AS symbol_id, l.dso_id AS dso_id, l.offset AS offset, iif(s.lost_cost > 0, '[address is gone]', s.expression) AS place, sum(s.one_in * s.accesses) AS samples,
      sum((s.cost + s.lost_cost) * s.one_in) AS cost, total(iif(s.addressed, s.estimate, 0)) * s.one_in AS estimate
    FROM drawn_samples AS s
    JOIN instructions AS i ON i.id = s.instruction_id
    JOIN locations AS l ON l.id = i.location_id
    JOIN symbols AS y ON y.id = l.symbol_id
    LEFT JOIN files AS f ON f.id = l.file_id
    WHERE :function IS NULL OR is_function(y.name, :function) OR is_function(l.function, :function) OR :function IN (short_code(y.name), short_code(l.function))
      OR ((f.path = :file OR substr(f.path, -length(:file) - 1) = '/' || :file) AND coalesce(:line, l.line) = l.line)
      OR l.id IN (
        SELECT n.location_id
        FROM inlined_frames AS n JOIN files AS g ON g.id = n.file_id
        WHERE (g.path = :file OR substr(g.path, -length(:file) - 1) = '/' || :file) AND coalesce(:line, n.line) = n.line)
    GROUP BY 1, 2, 3, 4
  ),
  dearest AS (
    SELECT symbol_id, row_number() OVER (ORDER BY sum(cost) DESC, sum(estimate) DESC, sum(samples) DESC, symbol_id) AS nth FROM hit GROUP BY symbol_id
  )
SELECT
  d.nth AS nth, short_code(y.name) AS function, o.long_name AS file, o.build_id AS build_id, h.offset AS offset, sum(h.samples) AS samples,
  CASE
    WHEN NOT claims((r.waits + r.lost_waits), r.addressed) THEN NULL
    WHEN r.cost + r.lost_cost > 0 THEN 100.0 * sum(h.cost) / (r.cost + r.lost_cost)
    WHEN r.thread_time = 0 THEN 100.0 * sum(h.estimate) / r.estimate
  END AS share,
  iif(r.cost + r.lost_cost = 0 AND r.thread_time = 0, 'accesses', 'cost') AS measure, group_concat(h.place, ', ') AS accesses, (SELECT arch FROM runs) AS arch,
  iif(has_counts(), 'counted', 'samples') AS noun
FROM (SELECT * FROM hit ORDER BY symbol_id, offset, samples DESC) AS h
JOIN dearest AS d ON d.symbol_id = h.symbol_id
JOIN symbols AS y ON y.id = h.symbol_id
JOIN dsos AS o ON o.id = h.dso_id
CROSS JOIN run AS r
WHERE d.nth <= coalesce(:top, 20)
GROUP BY h.symbol_id, h.offset
ORDER BY d.nth, h.offset;
