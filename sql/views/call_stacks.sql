-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW call_stacks AS
-- view:    call_stacks
-- summary: Call paths as text, innermost function first: the call paths of samples, objects, allocations and page faults.
-- grain: one row per call path; each row needs a walk to the root, so select few rows or join with this view
SELECT
  c.id AS call_path_id, -- call_paths.id
  c.depth AS depth,     -- number of frames of the path, without inlined frames
  stack_text(c.id, l.function) AS stack -- "gather (app.c:5) < worker (app.c:21) < main (app.c:80)"; "[unknown]" at the end: the outer callers are not known
FROM call_paths AS c
WHERE c.kind IS NOT 'root';
