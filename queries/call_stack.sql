-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   call_stack
-- summary: Call stack of an object, of one allocation, or of a call path, innermost frame first.
-- param:   object - the object: its id or name; if several objects have that name, the object with the highest cost; default: the heap object with the highest cost
-- param:   allocation - the block: its id
-- param:   path - the call path: a call_path_id from other queries or tables
-- without: allocation object
-- without: path object
-- without: path allocation
-- param:   end 0 1: the call stack that freed the block
-- values:  end 0..1
-- with:    end allocation
-- column:  object_id  objects.id
-- column:  object    name of the object
-- column:  frame     0: the frame that called the allocator, 1: its caller, ...
-- column:  function  name of the frame's function
-- column:  file      source file
-- column:  line      source line
-- column:  inlined   1: the function was inlined into the next frame
-- column:  kind      user or kernel; inferred: not on the recorded stack, but the only function that can call the previous frame; truncated: the caller of the previous frame is not known
WITH RECURSIVE
  costliest AS (
    SELECT o.id AS id, o.call_path_id AS call_path_id
    FROM objects AS o
    LEFT JOIN object_costs AS c ON c.object_id = o.id
    WHERE :allocation IS NULL AND :path IS NULL AND iif(:object IS NULL, o.kind = 'heap', o.id = :object OR o.name = :object)
    ORDER BY c.rank IS NULL, c.rank, o.id
    LIMIT 1
  ),
  start (object_id, id) AS (
    SELECT object_id, iif(coalesce(:end, 0) = 0, call_path_id, end_call_path_id) FROM allocations WHERE id = :allocation
    UNION ALL
    SELECT id, call_path_id FROM costliest
    UNION ALL
    SELECT NULL, :path WHERE :path IS NOT NULL
  ),
  up (object_id, step, id) AS (
    SELECT object_id, 0, id FROM start
    UNION ALL
    SELECT up.object_id, up.step + 1, p.parent_id FROM up JOIN call_paths AS p ON p.id = up.id WHERE p.parent_id < up.id
  )
SELECT
  up.object_id AS object_id,
  o.name AS object,
  row_number() OVER (ORDER BY up.step, l.depth) - 1 AS frame,
  iif(p.kind = 'truncated', '[unknown]', coalesce(l.function, '[unknown]')) AS function,
  l.file AS file,
  l.line AS line,
  coalesce(l.depth < (SELECT max(0, max(n.depth)) FROM inlined_frames AS n WHERE n.location_id = p.location_id), 0) AS inlined,
  p.kind AS kind
FROM up
JOIN call_paths AS p ON p.id = up.id
LEFT JOIN objects AS o ON o.id = up.object_id
LEFT JOIN location_frames AS l ON l.location_id = p.location_id
WHERE p.kind IS NOT 'root'
ORDER BY frame;
