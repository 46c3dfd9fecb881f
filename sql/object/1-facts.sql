-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns facts about one object (:id), with its cost: one sentence per row.
WITH
  run AS MATERIALIZED run_totals(),
  cost AS MATERIALIZED (SELECT * FROM object_costs WHERE object_id = :id),
  member AS MATERIALIZED ( -- the sampled objects that are in one row of the report, as in report/2-objects.sql
    SELECT o.id AS id, :id AS first_id
    FROM totals AS t
    JOIN objects AS o ON o.id = t.object_id
    WHERE t.scope = 'object' AND (object_site(o)) IS (SELECT object_site(o) FROM objects AS o WHERE o.id = :id)
  ),
  others AS grouped_waits(member),
  together AS (
    SELECT t.sampled AS sampled, time_most(t, r, coalesce(w.period, 0)) AS time_most_pct, cost_columns(t, r, coalesce(w.period, 0))
    FROM grouped_totals(member) AS t
    CROSS JOIN run AS r
    LEFT JOIN others AS w ON w.first_id = t.object_id
    WHERE t.object_id IS NOT NULL AND t.sampled > 1
  ),
  used AS (
    SELECT group_concat(printf('node %d %.0f %%', node_id, share), ', ') AS told
    FROM (
      SELECT home_node_id AS node_id, 100.0 * sum(estimate) / sum(sum(estimate)) OVER () AS share
      FROM access_matrix
      WHERE scope = 'object' AND object_id = :id AND home_node_id IS NOT NULL
      GROUP BY home_node_id
      ORDER BY share DESC
    )
  )
SELECT
  short_code(o.name) || ': ' || o.kind || iif(o.size_bytes > 0, ', ' || iif(o.estimated, '~', '') || CASE
      WHEN o.size_bytes >= 1 << 30 THEN printf('%.1f GiB', o.size_bytes / 1073741824.0)
      WHEN o.size_bytes >= 1 << 20 THEN printf('%.1f MiB', o.size_bytes / 1048576.0)
      WHEN o.size_bytes >= 1 << 10 THEN printf('%.1f KiB', o.size_bytes / 1024.0)
      ELSE o.size_bytes || ' B'
    END, '')
  || iif(o.kind = 'heap', printf(' alive at most, %s%d %s', iif(o.estimated, '~', ''), o.allocations, iif(o.allocations = 1, 'block', 'blocks')), '')
  || coalesce(', in ' || short_code(o.function), '') || coalesce(' ' || file_name(f.path) || ':' || o.line, '')
FROM objects AS o LEFT JOIN files AS f ON f.id = o.file_id
WHERE o.id = :id
UNION ALL
SELECT printf('type: %s of %d bytes (%s); `memdb query members object=%d` shows its members', t.name, t.size_bytes, o.type_source, o.id)
FROM objects AS o JOIN types AS t ON t.id = o.type_id
WHERE o.id = :id
UNION ALL
SELECT
  'lifetime: from ' || printf('%.3f s', (min(a.time) - r.start_ns) / 1e9) || ' to '
  || iif(max(a.end_time IS NULL), 'the end of the recording', printf('%.3f s', (max(a.end_time) - r.start_ns) / 1e9))
  || iif(sum(a.stands_for) < o.allocations, printf(' (of %d blocks; the others have no rows in allocations)', count(*)), '')
FROM objects AS o
JOIN allocations AS a ON a.object_id = o.id
CROSS JOIN runs AS r
WHERE o.id = :id AND r.start_ns IS NOT NULL
GROUP BY o.id
UNION ALL
SELECT 'no sample' || iif((SELECT samples FROM main.totals WHERE scope = 'run') IS (SELECT samples FROM run), '', ' of those selected') || ' hit it: nothing is known of its cost'
FROM (SELECT 1)
WHERE NOT EXISTS (SELECT 1 FROM cost)
UNION ALL
SELECT
  CASE
    WHEN NOT claims((r.waits + r.lost_waits), r.addressed) OR coalesce(c.cost_pct, c.access_pct) IS NULL THEN 'cost: not known'
    WHEN c.cost_pct IS NULL THEN printf('accesses: %.1f %% of all', c.access_pct) || coalesce(' (' || interval_text(c.access_low_pct, c.access_high_pct) || ')', '')
    ELSE printf('cost: %.1f %% of all cost of memory (%.1f-%.1f)', c.cost_pct, c.cost_low_pct, c.cost_high_pct)
    || iif(c.time_most_pct IS NULL, '', printf('; %.1f %% of the thread time, at most %.1f %%', c.time_pct, c.time_most_pct))
  END
  || iif(has_counts(), printf('; %s (loads: %s, stores: %s) of %s', sampled(c.addressed), short_count(c.loads), short_count(c.stores), counted(c.threads, 'thread')),
    printf('; %s (%s, %s) of %s', counted(c.addressed, 'sample'), counted(c.loads, 'load'), counted(c.stores, 'store'), counted(c.threads, 'thread')))
FROM cost AS c, run AS r
UNION ALL
SELECT printf('in the report: %.1f %% (%s)', a.cost_pct, interval_text(a.cost_low_pct, a.cost_high_pct)) || iif(a.time_most_pct IS NULL, '', printf('; %.1f %% of the thread time, at most %.1f %%', a.time_pct, a.time_most_pct))
  || printf('; in one row with %s of this name and place', counted(a.sampled - 1, 'other object'))
FROM together AS a, run AS r
WHERE a.cost_pct IS NOT NULL AND claims((r.waits + r.lost_waits), r.addressed)
UNION ALL
SELECT 'use: ' || pattern || iif(pattern = 'cannot tell', printf(', %s with an address %s too few', counted(placed, 'sample'), iif(placed = 1, 'is', 'are')),
  printf(' (%.0f %% by one thread' || iif(processes > 1, ' of each process', '') || '; of two samples in one place %s are of one thread, of any two %.0f %%)', top_pct, iif(same_pct IS NULL, '?', printf('%.0f %%', same_pct)), alike_pct))
FROM object_patterns, (SELECT count(*) AS placed FROM drawn_samples WHERE object_id = :id AND thread_id IS NOT NULL AND address IS NOT NULL)
WHERE object_id = :id
UNION ALL
SELECT printf('sharing: %s in %.0f %% of its samples (%.0f-%.0f), used by up to %s and written by up to %d: ', counted(cache_lines, 'cache line'), share_pct, share_low_pct, share_high_pct, counted(threads, 'thread'), writers)
  || iif(sharing = 'cannot tell', 'cannot tell whether true or false sharing', sharing)
FROM object_sharing
WHERE object_id = :id AND share_pct >= 0.5
UNION ALL
SELECT 'homes: ' || u.told || iif(c.home_pct < 99.95, printf(' (known for %.0f %%)', c.home_pct), '') || iif(c.remote_pct IS NULL, '', printf('; remote %.0f %% (%.0f-%.0f)', c.remote_pct, c.remote_low_pct, c.remote_high_pct))
FROM used AS u, cost AS c
WHERE u.told IS NOT NULL AND (SELECT nodes FROM run) <> 1
UNION ALL
SELECT printf('page faults: %d', faults) || iif(times IS NULL, '', printf(', placed %.1f times', times)) || iif(fault_time_pct IS NULL OR fault_samples = 0, '', printf(', %.1f %% of the thread time (%s)', fault_time_pct, counted(fault_samples, 'sample'))) FROM object_placement WHERE object_id = :id AND (faults > 0 OR fault_samples > 0)
UNION ALL
SELECT 'hint: ' || evidence || '; ' || advice FROM object_hints WHERE object_id = :id
UNION ALL
SELECT DISTINCT 'layout: ' || CASE separates
    WHEN 'members' THEN printf('with the members in the order below, %s has %d bytes instead of %d', type, new_type_bytes, type_bytes)
    WHEN 'elements' THEN printf('%s of %d bytes instead of %d begins at a cache line of its own', type, new_type_bytes, type_bytes)
    ELSE 'give each thread a contiguous part of the array that begins at a cache line'
  END || iif(object_bytes <> new_object_bytes, printf(', all of them %d instead of %d', new_object_bytes, object_bytes), '')
  || iif(separates <> 'threads' AND (SELECT kind FROM objects WHERE id = :id) = 'heap', '; allocate it at a multiple of 64 (aligned_alloc)', '')
FROM object_layouts WHERE object_id = :id
UNION ALL
SELECT text
FROM (
  SELECT w.what || stack_text(w.call_path_id, short_code(l.function)) AS text
  FROM (
    SELECT 'allocated by: ' AS what, call_path_id, 0 AS nr, 0 AS pages FROM objects WHERE id = :id
    UNION ALL
    SELECT printf('first touched by%s: ', iif(pages = all_pages, '', printf(' (%.0f %% of its pages)', 100.0 * pages / all_pages))), call_path_id, 1, pages
    FROM ( -- paths that differ only in the instruction of the touch are one
      SELECT min(f.call_path_id) AS call_path_id, count(*) AS pages, sum(count(*)) OVER () AS all_pages
      FROM fault_data AS f
      JOIN access_kinds AS k ON k.id = f.kind_id AND k.first = 1
      JOIN call_paths AS p ON p.id = f.call_path_id
      LEFT JOIN locations AS l ON l.id = p.location_id
      WHERE f.object_id = :id
      GROUP BY p.parent_id, l.function, l.file_id, l.line
    )
    WHERE 100 * pages >= all_pages
  ) AS w
  WHERE w.call_path_id IS NOT NULL
  ORDER BY w.nr, w.pages DESC, text
  LIMIT 4
);
