-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns the lines to annotate, grouped by function and file, groups with the highest cost first. :function, :file, :line and :object restrict
-- them. :top limits the number of groups. share: of the cost (measure "cost"), or of all accesses ("accesses") if they were sampled without
-- time; NULL: not measured, or too few samples. remote_low, remote_high: range of the remote share, in which none or all of the accesses with an
-- unknown node are remote. Waits for lost addresses are such accesses.
WITH
  run AS MATERIALIZED run_totals(),
  lines AS MATERIALIZED (
    SELECT *, iif((SELECT claims((waits + lost_waits), addressed) FROM run), coalesce(cost_pct, access_pct), NULL) AS share,
      coalesce(lost_cost_pct / nullif(cost_pct, 0), 0) AS lost
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
      iif(:file IS NULL, function, NULL) AS block, file_id, sum(share) AS share, sum(samples) AS samples, min(line) AS min_line,
      row_number() OVER (ORDER BY total(cost) DESC, total(access_pct) DESC, sum(samples) DESC, min(file), min(function)) AS nth
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
  l.text AS text, iif(b.block IS NULL, short_code(l.function), NULL) AS line_function
FROM blocks AS b
JOIN lines AS l ON l.file_id = b.file_id AND (b.block IS NULL OR l.function = b.block)
WHERE :top IS NULL OR b.nth <= :top
ORDER BY b.nth, l.line, l.samples DESC, l.function;
