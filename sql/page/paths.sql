-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   paths
-- summary: Call stacks as a tree: each row is a frame, and its parent is the caller.
-- keep:    40000 rows at most
WITH RECURSIVE
  used (id) AS ( -- adds all callers. A caller has a smaller id than the frame; this condition prevents an endless loop in a damaged database
    SELECT call_path_id FROM drawn_samples WHERE call_path_id IS NOT NULL
    UNION
    SELECT j.call_path_id FROM object_costs AS o JOIN objects AS j ON j.id = o.object_id WHERE j.call_path_id IS NOT NULL
    UNION
    SELECT path_id FROM (SELECT path_id FROM touch_paths() LIMIT 1000) -- those that touch_paths.sql keeps
    UNION
    SELECT p.parent_id FROM used AS u JOIN call_paths AS p ON p.id = u.id WHERE p.parent_id < u.id
  )
SELECT
  p.id AS id,                   -- number of the frame; points.path_id, objects.path_id and touch_paths.path_id refer to it
  p.parent_id AS parent_id,     -- the caller; NULL for a root
  p.location_id AS location_id, -- frames.location_id; NULL for a root
  iif(p.kind = 'user', NULL, p.kind) AS kind -- "root", "truncated" (the callers are not known), "kernel", "guest", "skipped" (callers between two frames are not known), "inferred" (not on the recorded stack: the only function that can call the next frame); NULL: a frame of the program
FROM used AS u
JOIN call_paths AS p ON p.id = u.id
ORDER BY p.id;
