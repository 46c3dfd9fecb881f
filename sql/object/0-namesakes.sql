-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns the objects that have the name of one object (:id), those with the highest cost first. No row if no other object has this name.
WITH
  named AS MATERIALIZED (
    SELECT o.*, count(*) OVER () AS n, count(*) OVER (PARTITION BY function, file_id, line) > 1 AS same_site FROM objects AS o WHERE o.name = (SELECT name FROM objects WHERE id = :id)
  )
SELECT
  o.id AS id,
  iif(c.cost_pct IS NULL, NULL, printf('%.1f %%', c.cost_pct)) AS cost,
  iif(c.cost_pct IS NULL AND c.access_pct IS NOT NULL, printf('%.1f %%', c.access_pct), NULL) AS accesses,
  iif(has_counts(), short_count(c.addressed), NULL) AS counted,
  iif(has_counts(), NULL, coalesce(c.addressed, 0)) AS samples,
  o.kind AS kind,
  iif(o.size_bytes > 0, iif(o.estimated, '~', '') || short_bytes(o.size_bytes), NULL) AS size,
  coalesce(nullif(trim(coalesce(base_code(o.function), '') || coalesce(' ' || file_name(f.path) || ':' || o.line, '')), ''), d.short_name, '')
    || iif(o.same_site, coalesce(' via ' || (
      SELECT short_code(l.function) || coalesce(' ' || file_name(l.file) || ':' || l.line, '')
      FROM call_paths AS b JOIN call_paths AS a ON a.id = b.parent_id JOIN location_frames AS l ON l.location_id = a.location_id AND l.depth = 0
      WHERE b.id = o.call_path_id
    ), ''), '')
    || coalesce(', thread ' || t.tid, '') || iif((SELECT count(DISTINCT process_id) FROM named) > 1, coalesce(', process ' || p.pid, ''), '') AS site
FROM named AS o
LEFT JOIN object_costs AS c ON c.object_id = o.id
LEFT JOIN files AS f ON f.id = o.file_id
LEFT JOIN dsos AS d ON d.id = o.dso_id
LEFT JOIN threads AS t ON t.id = o.thread_id
LEFT JOIN processes AS p ON p.id = o.process_id
WHERE o.n > 1
ORDER BY c.rank IS NULL, c.rank, o.id
LIMIT 10;
