-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns the lines to annotate, grouped by function and file, groups with the highest cost first. :function, :file, :line and :object restrict
-- the rows. :top is the maximum number of groups; it also leaves out groups that have less than 1 % of the samples and placed less than 1 % of
-- the memory. A row with `inlined` follows the row of its line: this function was inlined there. Its share and samples are those of the function's
-- own lines, which are not part of block_share.
-- share: the line's share of the run's cost (measure "cost") or, if the sampler counts accesses without their time, of all accesses
-- ("accesses"); NULL: not measured, or too few samples.
-- remote_low, remote_high: bounds of the remote share. Accesses with an unknown node, or a lost address, count as local in remote_low and as
-- remote in remote_high.
WITH
  run AS MATERIALIZED run_totals(),
  own AS MATERIALIZED (
    SELECT *, iif((SELECT claims((waits + lost_waits), addressed) FROM run), coalesce(cost_pct, access_pct), NULL) AS share,
      coalesce(lost_cost_pct / nullif(cost_pct, 0), 0) AS lost
    FROM annotated_lines AS a
    WHERE (:function IS NULL OR is_function(function, :function) OR short_code(function) = :function)
      AND (:file IS NULL OR file = :file OR substr(file, -length(:file) - 1) = '/' || :file)
      AND (:line IS NULL OR line BETWEEN :line - 10 AND :line + 10)
      AND (:object IS NULL OR (file_id, line) IN (
        SELECT l.file_id, l.line
        FROM drawn_samples AS s JOIN instructions AS i ON i.id = s.instruction_id JOIN locations AS l ON l.id = i.location_id
        WHERE s.object_id = :object))
  ),
  called AS MATERIALIZED ( -- each function that was inlined at a line, with the cost of its own lines there
    SELECT
      n.function AS function, n.file_id AS file_id, f.path AS file, n.line AS line,
      short_code(code_name(coalesce(l.function, y.name), NULL)) || coalesce(' ' || file_name(g.path) || ':' || l.line, '') AS inlined,
      CASE
        WHEN NOT claims((r.waits + r.lost_waits), r.addressed) THEN NULL
        WHEN r.cost + r.lost_cost > 0 THEN 100.0 * total(CASE m.cost WHEN 'period' THEN c.period WHEN 'latency' THEN c.latency END) / (r.cost + r.lost_cost)
        WHEN r.thread_time = 0 THEN 100.0 * total(c.period * m.addressed) / r.estimate
      END AS share,
      sum(iif(has_counts(), c.period, c.samples)) AS samples
    FROM inlined_frames AS n
    CROSS JOIN run AS r
    JOIN locations AS l ON l.id = n.location_id
    JOIN instructions AS i ON i.location_id = l.id
    JOIN sample_cells AS c ON c.instruction_id = i.id
    JOIN kind_measures AS m ON m.id = c.kind_id
    JOIN files AS f ON f.id = n.file_id
    LEFT JOIN files AS g ON g.id = l.file_id
    LEFT JOIN symbols AS y ON y.id = l.symbol_id
    WHERE n.depth > 0 AND n.line > 0 AND n.function IS NOT NULL
      AND (:function IS NULL OR is_function(n.function, :function) OR short_code(n.function) = :function)
      AND (:file IS NULL OR f.path = :file OR substr(f.path, -length(:file) - 1) = '/' || :file)
      AND (:line IS NULL OR n.line BETWEEN :line - 10 AND :line + 10)
      AND (:object IS NULL OR c.object_id = :object)
    GROUP BY n.function, n.file_id, n.line, inlined
  ),
  lines AS MATERIALIZED (
    SELECT function, file_id, file, line, cost, access_pct, share, samples, remote_low_pct, remote_high_pct, lost, lost_cost_pct, cost_pct, first_touch_bytes, accesses, text, NULL AS inlined
    FROM own
    UNION ALL
    SELECT DISTINCT c.function, c.file_id, c.file, c.line, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0, NULL, x.text, NULL
    FROM called AS c LEFT JOIN source_lines AS x ON x.file_id = c.file_id AND x.line = c.line
    WHERE (c.function, c.file_id, c.line) NOT IN (SELECT function, file_id, line FROM own)
    UNION ALL
    SELECT function, file_id, file, line, NULL, NULL, share, samples, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, inlined
    FROM called
  ),
  blocks AS (
    SELECT
      iif(:file IS NULL, function, NULL) AS block, file_id, sum(share) FILTER (WHERE inlined IS NULL) AS share, sum(share) FILTER (WHERE inlined IS NOT NULL) AS inlined_share,
      sum(samples) FILTER (WHERE inlined IS NULL) AS samples, min(line) AS min_line,
      100.0 * sum(first_touch_bytes) / sum(sum(first_touch_bytes)) OVER () AS placed_pct, 100.0 * sum(samples) / sum(sum(samples)) OVER () AS samples_pct,
      row_number() OVER (ORDER BY total(cost) DESC, total(access_pct) DESC, sum(samples) FILTER (WHERE inlined IS NULL) DESC, min(file), min(function)) AS nth
    FROM lines
    GROUP BY 1, 2
  )
SELECT
  b.nth AS block, short_code(b.block) AS function, l.file AS file,
  (SELECT d.long_name FROM locations AS p JOIN dsos AS d ON d.id = p.dso_id WHERE p.file_id = l.file_id AND l.line = min_line LIMIT 1) AS program, b.share AS block_share, b.samples AS block_samples,
  l.line AS line, coalesce((SELECT iif(cost + lost_cost = 0 AND thread_time = 0, 'accesses', 'cost') FROM run), 'cost') AS measure, l.share AS share, l.samples AS samples,
  l.remote_low_pct * (1 - l.lost) AS remote_low, l.remote_high_pct * (1 - l.lost) + 100 * l.lost AS remote_high,
  l.first_touch_bytes AS first_touch_bytes,
  iif(l.lost_cost_pct >= 0.05, printf('[address is gone] %.0f %% of the cost', 100.0 * l.lost_cost_pct / l.cost_pct) || coalesce(', else ' || l.accesses, ''), l.accesses) AS accesses,
  l.text AS text, iif(b.block IS NULL AND l.inlined IS NULL AND (l.samples > 0 OR l.first_touch_bytes > 0), short_code(l.function), NULL) AS line_function,
  l.inlined AS inlined, b.inlined_share AS inlined_share, iif(has_counts(), 'counted', 'samples') AS noun
FROM blocks AS b
JOIN lines AS l ON l.file_id = b.file_id AND (b.block IS NULL OR l.function = b.block)
WHERE :top IS NULL OR (b.nth <= :top AND (b.samples_pct >= 1 OR b.placed_pct >= 1))
ORDER BY b.nth, l.line, l.inlined IS NOT NULL, l.samples DESC, l.function, l.inlined;
