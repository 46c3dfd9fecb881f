-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW annotated_lines AS
-- view:    annotated_lines
-- summary: Source lines with their cost of memory, the objects that they access, and the pages that they touched first.
-- grain:   one row for each combination of function, file and line (of the innermost frame) that has a sample or a first touch
-- note:    costs are those of line_costs, accesses are from drawn_samples. Code without line numbers is left out. `memdb annotate` prints this view
WITH
  hit AS (
    SELECT l.file_id AS file_id, l.line AS line, coalesce(l.function, y.name) AS function, s.expression AS place, total(s.estimate) AS drawn, total(s.cost) AS cost
    FROM drawn_samples AS s
    JOIN instructions AS i ON i.id = s.instruction_id
    JOIN locations AS l ON l.id = i.location_id
    LEFT JOIN symbols AS y ON y.id = i.symbol_id
    WHERE l.file_id IS NOT NULL AND l.line IS NOT NULL AND s.object_id IS NOT NULL
    GROUP BY 1, 2, 3, 4
  ),
  part AS ( -- the share of each object in a line: share of the line's cost or, if the line has no cost, of what its samples represent (sum of their periods)
    SELECT file_id, line, function, place, iif(r.claims AND sum(cost) OVER (PARTITION BY file_id, line, function) > 0, cost, drawn) AS drawn
    FROM hit, (SELECT claims((waits + lost_waits), addressed) AS claims FROM totals WHERE scope = 'run') AS r
  ),
  named AS MATERIALIZED (
    SELECT
      file_id, line, function,
      group_concat(place || iif(nth = 1 AND drawn = total, '', printf(' %.0f %%', 100.0 * drawn / total)), ', ') FILTER (WHERE nth <= 6 AND (nth = 1 OR 100 * drawn >= total))
      || iif(max(nth > 6 OR (nth > 1 AND 100 * drawn < total)), printf(' and %d more', sum(nth > 6 OR (nth > 1 AND 100 * drawn < total))), '') AS text
    FROM (
      SELECT
        file_id, line, function, place, sum(drawn) AS drawn, sum(sum(drawn)) OVER (PARTITION BY file_id, line, function) AS total,
        row_number() OVER (PARTITION BY file_id, line, function ORDER BY sum(drawn) DESC, place) AS nth
      FROM part
      GROUP BY file_id, line, function, place
      ORDER BY file_id, line, function, nth
    )
    GROUP BY file_id, line, function
  ),
  touched AS MATERIALIZED (
    SELECT l.file_id AS file_id, l.line AS line, code_name(coalesce(l.function, y.name), NULL) AS function, sum(coalesce(k.page_bytes, r.page_bytes)) AS bytes
    FROM fault_data AS d
    CROSS JOIN runs AS r
    JOIN access_kinds AS k ON k.id = d.kind_id AND k.first = 1
    JOIN instructions AS i ON i.id = d.instruction_id
    JOIN locations AS l ON l.id = iif(i.called_id IS NULL, i.location_id, i.caller_id)
    LEFT JOIN symbols AS y ON y.id = l.symbol_id
    WHERE l.line IS NOT NULL
    GROUP BY 1, 2, 3
  ),
  costs AS MATERIALIZED (
    SELECT f.id AS file_id, c.* FROM line_costs AS c JOIN files AS f ON f.path = c.file WHERE c.line IS NOT NULL
  ),
  keys AS (
    SELECT file_id, line, function FROM costs
    UNION
    SELECT file_id, line, function FROM touched
  )
SELECT
  k.function AS function,            -- function of the innermost frame, inlined or not; the symbol if there is no debug information
  k.file_id AS file_id,              -- files.id
  f.path AS file,                    -- source file
  k.line AS line,                    -- source line
  c.cost AS cost,                    -- cost of memory at the line, in run_costs.cost_unit; NULL: not measured
  c.cost_pct AS cost_pct,            -- share of the run's cost of memory, 0-100; NULL: no cost was measured
  c.cost_low_pct AS cost_low_pct,    -- lower end of the 95 % interval of cost_pct
  c.cost_high_pct AS cost_high_pct,  -- upper end of the 95 % interval of cost_pct
  c.access_pct AS access_pct,        -- share of the run's accesses, 0-100; NULL: the samples measure time and do not count accesses
  c.access_low_pct AS access_low_pct, -- lower end of the 95 % interval of access_pct
  c.access_high_pct AS access_high_pct, -- upper end of the 95 % interval of access_pct
  coalesce(c.samples, 0) AS samples, -- number of samples at the line
  coalesce(c.loads, 0) AS loads,     -- number of samples with a known access that reads
  coalesce(c.stores, 0) AS stores,   -- number of samples with a known access that writes
  c.latency_avg AS latency_avg,      -- mean latency of the samples that have a latency, core cycles; NULL: the sampler does not measure it
  c.remote_pct AS remote_pct,        -- share of accesses to pages on a different node than the CPU, among the accesses for which both nodes are known, 0-100; NULL: no access has two known nodes, or there is one node
  c.remote_low_pct AS remote_low_pct, -- lower bound of the remote share of all addressed samples: samples with an unknown node count as local
  c.remote_high_pct AS remote_high_pct, -- upper bound of the remote share of all addressed samples: samples with an unknown node count as remote
  c.home_pct AS home_pct,            -- coverage of remote_pct: share of the addressed samples for which the nodes of page and CPU are known, 0-100
  c.lost_cost_pct AS lost_cost_pct,  -- the part of cost_pct that comes from waits for accesses whose address and object are lost
  coalesce(t.bytes, 0) AS first_touch_bytes, -- size of the pages that the line, or a library function called there, touched first, bytes
  n.text AS accesses,                -- objects and members that the line's drawn samples access, largest share first, each with its share of the line's cost or, if the line has no cost or the run has too few waits, of what these samples represent (sum of their periods)
  x.text AS text                     -- text of the line; NULL: at the import the source file was missing, newer than the program, or left out
FROM keys AS k
JOIN files AS f ON f.id = k.file_id
LEFT JOIN costs AS c ON c.file_id = k.file_id AND c.line = k.line AND c.function = k.function
LEFT JOIN touched AS t ON t.file_id = k.file_id AND t.line = k.line AND t.function = k.function
LEFT JOIN named AS n ON n.file_id = k.file_id AND n.line = k.line AND n.function = k.function
LEFT JOIN source_lines AS x ON x.file_id = k.file_id AND x.line = k.line;
