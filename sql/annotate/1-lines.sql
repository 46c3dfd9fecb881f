-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns the lines to annotate, grouped by function and file, groups with the highest cost first. :function, :file, :line and :object restrict
-- them. :top limits the number of groups.
WITH
  lines AS MATERIALIZED (
    SELECT *
    FROM annotated_lines AS a
    WHERE (:function IS NULL OR function = :function OR short_code(function) = :function
        OR substr(short_code(function), -length(:function) - 2) = '::' || :function)
      AND (:file IS NULL OR file = :file OR substr(file, -length(:file) - 1) = '/' || :file)
      AND (:line IS NULL OR line BETWEEN :line - 10 AND :line + 10)
      AND (:object IS NULL OR (file_id, line) IN (
        SELECT l.file_id, l.line
        FROM drawn_samples AS s JOIN instructions AS i ON i.id = s.instruction_id JOIN locations AS l ON l.id = i.location_id
        WHERE s.object_id = :object))
  ),
  blocks AS (
    SELECT
      iif(:file IS NULL, function, NULL) AS block, file_id, total(cost_pct) AS pct, count(cost_pct) AS measured, sum(samples) AS samples, min(line) AS min_line,
      row_number() OVER (ORDER BY total(cost) DESC, sum(samples) DESC, min(file), min(function)) AS nth
    FROM lines
    GROUP BY 1, 2
  )
SELECT
  b.nth AS block, short_code(b.block) AS function, l.file AS file,
  (SELECT d.long_name FROM locations AS p JOIN dsos AS d ON d.id = p.dso_id WHERE p.file_id = l.file_id AND l.line = min_line LIMIT 1) AS program, iif(b.measured, b.pct, NULL) AS block_pct, b.samples AS block_samples,
  l.line AS line, l.cost_pct AS cost_pct, l.samples AS samples, iif(l.home_pct >= 50 AND coalesce(2 * l.lost_cost_pct <= l.cost_pct, 1), l.remote_pct, NULL) AS remote_pct, -- omitted if it describes less than half of the accesses or cost
  l.first_touch_bytes AS first_touch_bytes,
  iif(l.lost_cost_pct >= 0.05, printf('[address is gone] %.0f %% of the cost', 100.0 * l.lost_cost_pct / l.cost_pct) || coalesce(', else ' || l.accesses, ''), l.accesses) AS accesses,
  l.text AS text, iif(b.block IS NULL, short_code(l.function), NULL) AS line_function
FROM blocks AS b
JOIN lines AS l ON l.file_id = b.file_id AND (b.block IS NULL OR l.function = b.block)
WHERE :top IS NULL OR b.nth <= :top
ORDER BY b.nth, l.line, l.samples DESC, l.function;
