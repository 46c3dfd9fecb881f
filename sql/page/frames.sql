-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   frames
-- summary: The source frames at a code address: the innermost function of the program's own sources, and the functions inlined there.
-- keep:    30000 rows at most
WITH RECURSIVE
  used (id) AS (
    SELECT call_path_id FROM drawn_samples WHERE call_path_id IS NOT NULL
    UNION
    SELECT j.call_path_id FROM object_costs AS o JOIN objects AS j ON j.id = o.object_id WHERE j.call_path_id IS NOT NULL
    UNION
    SELECT path_id FROM (SELECT path_id FROM touch_paths() LIMIT 1000) -- those that touch_paths.sql keeps
    UNION
    SELECT p.parent_id FROM used AS u JOIN call_paths AS p ON p.id = u.id WHERE p.parent_id < u.id
  ),
  places (id) AS (
    SELECT i.location_id FROM instructions AS i WHERE i.location_id IS NOT NULL AND i.id IN (SELECT instruction_id FROM drawn_samples)
    UNION
    SELECT p.location_id FROM used AS u JOIN call_paths AS p ON p.id = u.id WHERE p.location_id IS NOT NULL
  )
SELECT
  f.location_id AS location_id, -- number of the code address; paths.location_id and points.location_id refer to it
  f.depth AS depth,             -- 0: the innermost frame in the program's own sources, 1: the caller into which frame 0 was inlined, …; -1: a library function inlined into frame 0, …
  f.function AS function,       -- the function's name; [file] if it has none
  f.file AS file,               -- source file; NULL: not known
  f.line AS line                -- source line; NULL: not known
FROM places AS p
JOIN location_frames AS f ON f.location_id = p.id
ORDER BY f.location_id, f.depth;
