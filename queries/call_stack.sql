-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   call_stack
-- summary: Call stack of an object or of one allocation, innermost frame first.
-- param:   object - the object: its id or name
-- param:   allocation - the block: its id
-- param:   end 0 1: who freed the block
-- column:  frame     0: called the allocator, 1: its caller, ...
-- column:  function  its name
-- column:  file      source file
-- column:  line      source line
-- column:  inlined   1: was inlined into the next frame
-- column:  kind      user, kernel; truncated: what called the frame before is not known
WITH RECURSIVE
  start (id) AS (
    SELECT iif(coalesce(:end, 0) = 0, call_path_id, end_call_path_id) FROM allocations WHERE id = :allocation
    UNION ALL
    SELECT call_path_id FROM objects
    WHERE :allocation IS NULL AND id = coalesce(
      (SELECT id FROM objects WHERE id = :object OR name = :object LIMIT 1),
      iif(:object IS NULL, (SELECT object_id FROM object_latency WHERE kind = 'heap'
        ORDER BY wait_ns DESC, weight_sum DESC, accesses DESC LIMIT 1), NULL))
  ),
  up (step, id) AS (
    SELECT 0, id FROM start
    UNION ALL
    SELECT up.step + 1, p.parent_id FROM up JOIN call_paths AS p ON p.id = up.id WHERE p.parent_id < up.id
  )
SELECT
  row_number() OVER (ORDER BY up.step, l.depth) - 1 AS frame,
  iif(p.kind = 'truncated', '[unknown]', coalesce(l.function, '[unknown]')) AS function,
  l.file AS file,
  l.line AS line,
  coalesce(l.depth < (SELECT max(n.depth) FROM inlined_frames AS n WHERE n.location_id = p.location_id), 0) AS inlined,
  p.kind AS kind
FROM up
JOIN call_paths AS p ON p.id = up.id
LEFT JOIN location_frames AS l ON l.location_id = p.location_id
WHERE p.kind IS NOT 'root'
ORDER BY frame;
