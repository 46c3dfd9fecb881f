-- SPDX-License-Identifier: GPL-2.0-or-later
-- Stores the ids of the call paths whose samples are in :function, and of those that may be. A path is in :function if it contains a frame of it,
-- inlined or not.
--
-- The path of a thread that helps with a parallel region begins in the OpenMP runtime, because another thread started the region.
-- The path of the starting thread is cut there, if the runtime keeps no frame pointers; the import may have added the function
-- that contains the region. Such a path is *open*: of its frames in files with parallel regions, the outermost one is a region or,
-- if the path is cut, a function that contains one. The region's name contains the name of the function that contains
-- the region: its owner. Complete paths through the owner, or through one of its regions, show where an open path belongs. If at
-- least ten samples have such paths, and all of these paths are in :function, the open path is in it, too. If none of them is, the
-- open path is not in :function. Otherwise it may be. Paths of allocations do not count, because the runtime allocates mainly for
-- the first region.
--
-- A path may also be in :function if callers between its frames are not known (kind 'skipped').
INSERT INTO temp.selected_paths (id, certain, open)
WITH RECURSIVE
  code AS MATERIALIZED (
    SELECT DISTINCT location_id FROM location_frames WHERE is_function(function, :function)
  ),
  inside (id) AS (
    SELECT p.id FROM call_paths AS p WHERE p.location_id IN (SELECT location_id FROM code)
    UNION
    SELECT p.id FROM inside AS i CROSS JOIN call_paths AS p ON p.parent_id = i.id
  ),
  regions AS MATERIALIZED (
    SELECT location_id, min(region_owner(function)) AS owner FROM location_frames WHERE region_owner(function) IS NOT NULL GROUP BY location_id
  ),
  owned AS MATERIALIZED (
    SELECT location_id, owner FROM regions
    UNION
    SELECT location_id, function FROM location_frames WHERE function IN (SELECT owner FROM regions)
  ),
  program AS MATERIALIZED (
    SELECT id FROM locations WHERE dso_id IN (SELECT dso_id FROM locations WHERE id IN (SELECT location_id FROM regions))
  ),
  -- cut: the outer callers are not known; hole: other callers are not known; begun: the path has a frame of a file with parallel
  -- regions; owner: the owner with which an open path begins
  walk (id, cut, hole, begun, owner) AS (
    SELECT id, kind = 'truncated', 0, 0, NULL FROM call_paths WHERE parent_id IS NULL
    UNION ALL
    SELECT p.id, w.cut, w.hole OR p.kind = 'skipped', w.begun OR p.location_id IN (SELECT id FROM program),
      iif(w.begun, w.owner, coalesce((SELECT r.owner FROM regions AS r WHERE r.location_id = p.location_id), iif(w.cut, (SELECT min(o.owner) FROM owned AS o WHERE o.location_id = p.location_id), NULL)))
    FROM walk AS w CROSS JOIN call_paths AS p ON p.parent_id = w.id
    WHERE p.id > w.id -- always so, except in a damaged database
  ),
  through (owner, is_inside, id) AS (
    SELECT o.owner, w.id IN (SELECT id FROM inside), w.id
    FROM walk AS w
    JOIN call_paths AS p ON p.id = w.id
    JOIN owned AS o ON o.location_id = p.location_id
    WHERE w.owner IS NULL AND (NOT (w.cut OR w.hole) OR w.id IN (SELECT id FROM inside))
    UNION
    SELECT t.owner, t.is_inside, p.id FROM through AS t CROSS JOIN call_paths AS p ON p.parent_id = t.id
  ),
  known AS MATERIALIZED (
    SELECT t.owner, min(t.is_inside) AS all_inside, max(t.is_inside) AS some_inside
    FROM through AS t
    JOIN (SELECT call_path_id, count(*) AS samples FROM main.sample_data GROUP BY call_path_id) AS n ON n.call_path_id = t.id
    GROUP BY t.owner
    HAVING sum(n.samples) >= 10
  )
SELECT w.id, w.id IN (SELECT id FROM inside) OR coalesce(k.all_inside, 0), w.owner IS NOT NULL
FROM walk AS w
LEFT JOIN known AS k ON k.owner = w.owner
WHERE w.id IN (SELECT id FROM inside) OR w.hole OR iif(w.owner IS NULL, w.cut, coalesce(k.some_inside, 1));
