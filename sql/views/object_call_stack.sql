-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    object_call_stack
-- summary: Who allocates an object: its call stack, innermost frame first.
-- grain:   one row per heap object and frame
-- note:    the tracker's own frame is not there: frame 0 called malloc
-- column:  object_id       INTEGER  objects.id
-- column:  object          TEXT     the object's name
-- column:  frame           INTEGER  0: the innermost, 1: its caller, …
-- column:  function        TEXT     its name
-- column:  file            TEXT     source file; NULL: not known
-- column:  line            INTEGER  source line; NULL: not known
-- column:  inlined         INTEGER  1: this function was inlined into the next frame
-- column:  kind            TEXT     "user", "kernel", "guest"; "truncated": what called the frame before is not known
CREATE VIEW object_call_stack AS
WITH RECURSIVE
  up (object_id, step, id) AS (
    SELECT id, 0, call_path_id FROM objects WHERE call_path_id IS NOT NULL
    UNION ALL
    SELECT up.object_id, up.step + 1, p.parent_id
    FROM up JOIN call_paths AS p ON p.id = up.id
    WHERE p.parent_id < up.id -- a caller is always known before its callee: no loops in a damaged file
  )
SELECT
  up.object_id AS object_id,
  o.name AS object,
  row_number() OVER (PARTITION BY up.object_id ORDER BY up.step, l.depth) - 1 AS frame,
  iif(p.kind = 'truncated', '[unknown]', coalesce(l.function, '[unknown]')) AS function,
  l.file AS file,
  l.line AS line,
  coalesce(l.depth < (SELECT max(n.depth) FROM inlined_frames AS n WHERE n.location_id = p.location_id), 0) AS inlined,
  p.kind AS kind
FROM up
JOIN call_paths AS p ON p.id = up.id
JOIN objects AS o ON o.id = up.object_id
LEFT JOIN location_frames AS l ON l.location_id = p.location_id
WHERE p.kind IS NOT 'root';
