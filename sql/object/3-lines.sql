-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns the source lines that access one object (:id), from drawn samples, lines with the highest
-- cost first. The column "its cost" is the line's share of the object's cost. If the sampler counts
-- accesses without their time, the column "its accesses" replaces it: the line's share of the
-- object's accesses.
WITH
  run AS MATERIALIZED run_totals()
SELECT
  iif(r.cost + r.lost_cost > 0 AND claims((r.waits + r.lost_waits), r.addressed), printf('%.1f %%', 100.0 * sum(d.cost) / nullif(sum(sum(d.cost)) OVER (), 0)), NULL) AS "its cost",
  iif(r.cost + r.lost_cost = 0 AND r.thread_time = 0, printf('%.1f %%', 100.0 * sum(d.estimate) / sum(sum(d.estimate)) OVER ()), NULL) AS "its accesses",
  iif(has_counts(), NULL, count(*)) AS drawn, iif(has_counts(), short_count(sum(d.estimate)), NULL) AS counted,
  iif(has_counts(), short_count(total(d.loads * d.estimate)), sum(d.loads)) AS loads, iif(has_counts(), short_count(total(d.stores * d.estimate)), sum(d.stores)) AS stores, count(DISTINCT d.thread_id) AS threads,
  iif(l.line IS NULL OR count(*) OVER (PARTITION BY source_code(l.function), l.file, l.line) > 1, short_code(l.function), source_code(l.function)) AS function, file_name(l.file) || ':' || l.line AS line
FROM drawn_samples AS d
CROSS JOIN run AS r
JOIN instructions AS i ON i.id = d.instruction_id
LEFT JOIN location_frames AS l ON l.location_id = i.location_id AND l.depth = 0
WHERE d.object_id = :id
GROUP BY l.function, l.file, l.line
ORDER BY sum(d.cost) DESC, sum(d.estimate) DESC, count(*) DESC, function, line
LIMIT 8;
