-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns the source lines that access one object (:id), from drawn samples, lines with the highest cost first.
SELECT
  iif(sum(d.cost) > 0, printf('%.1f %%', 100.0 * sum(d.cost) / sum(sum(d.cost)) OVER ()), NULL) AS "its cost",
  count(*) AS samples, sum(d.loads) AS loads, sum(d.stores) AS stores, count(DISTINCT d.thread_id) AS threads,
  short_code(l.function) AS function, replace(l.file, rtrim(l.file, replace(l.file, '/', '')), '') || ':' || l.line AS line
FROM drawn_samples AS d
JOIN instructions AS i ON i.id = d.instruction_id
LEFT JOIN location_frames AS l ON l.location_id = i.location_id AND l.depth = 0
WHERE d.object_id = :id
GROUP BY l.function, l.file, l.line
ORDER BY sum(d.cost) DESC, count(*) DESC, function, line
LIMIT 8;
