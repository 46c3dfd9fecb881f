-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns the objects that have the name of one object (:id), those with the highest cost first. No row if no other object has this name.
-- site: how the listed objects of one kind differ, as in the report; for the only one of its kind, where it is allocated.
WITH
  named AS MATERIALIZED (
    SELECT o.*, c.cost_pct, c.access_pct, c.addressed, c.rank
    FROM objects AS o
    LEFT JOIN object_costs AS c ON c.object_id = o.id
    WHERE o.name = (SELECT name FROM objects WHERE id = :id)
    ORDER BY c.rank IS NULL, c.rank, o.id
    LIMIT 10
  ),
  alike AS MATERIALIZED (
    SELECT id, name AS object, kind FROM named
  ),
  different AS MATERIALIZED (
    SELECT * FROM told_apart(alike)
  )
SELECT
  o.id AS id,
  iif(o.cost_pct IS NULL, NULL, printf('%.1f %%', o.cost_pct)) AS cost,
  iif(o.cost_pct IS NULL AND o.access_pct IS NOT NULL, printf('%.1f %%', o.access_pct), NULL) AS accesses,
  iif(has_counts(), short_count(o.addressed), NULL) AS counted,
  iif(has_counts(), NULL, coalesce(o.addressed, 0)) AS samples,
  o.kind AS kind,
  iif(o.size_bytes > 0, iif(o.estimated, '~', '') || short_bytes(o.size_bytes), NULL) AS size,
  coalesce(w.site, nullif(trim(coalesce(base_code(o.function), '') || coalesce(' ' || file_name(f.path) || ':' || o.line, '')), ''), d.short_name) AS site
FROM named AS o
LEFT JOIN different AS w ON w.id = o.id
LEFT JOIN files AS f ON f.id = o.file_id
LEFT JOIN dsos AS d ON d.id = o.dso_id
WHERE (SELECT count(*) FROM named) > 1
ORDER BY o.rank IS NULL, o.rank, o.id;
