-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns the object of the kind ?2 with the highest cost, or, without ?2, the name of all objects. The name is ?1 as it is stored, or shortened as in the report
-- (sql/report/2-objects.sql); of these, only the best match counts. ?3: only objects in a group of so many sampled objects, as in a row of the report. No row
-- if there is no such object, or if objects with different names match equally well.
WITH
  grouped AS (
    SELECT o.id AS id, o.name AS name, o.kind AS kind, coalesce(t.cost, 0) AS cost, count(t.object_id) OVER (PARTITION BY object_site(o)) AS objects
    FROM objects AS o
    LEFT JOIN totals AS t ON t.scope = 'object' AND t.object_id = o.id
  ),
  matched AS MATERIALIZED (
    SELECT *, CASE ?1 WHEN name THEN 1 WHEN short_code(name) THEN 2 WHEN base_code(name) THEN 3 END AS fit
    FROM grouped
    WHERE (?2 IS NULL OR kind = ?2) AND (?3 IS NULL OR objects = ?3)
  )
SELECT iif(?2 IS NULL, name, id)
FROM (SELECT *, min(name) OVER () < max(name) OVER () AS several FROM matched WHERE fit = (SELECT min(fit) FROM matched))
WHERE NOT several
ORDER BY cost DESC, id
LIMIT 1
