-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW call_stacks AS
-- view:    call_stacks
-- summary: Call paths as text, innermost function first: the call paths of samples, objects, allocations and page faults.
-- grain: one row per call path; each row needs a walk to the root, so select few rows or join with this view
SELECT
  c.id AS call_path_id, -- call_paths.id
  c.depth AS depth,     -- number of frames of the path, without inlined frames
  (
    WITH RECURSIVE
      up (step, id) AS (
        SELECT 0, c.id
        UNION ALL
        SELECT up.step + 1, p.parent_id
        FROM up JOIN call_paths AS p ON p.id = up.id
        WHERE p.parent_id < up.id -- a caller has a smaller id than the frame; this condition prevents an endless loop in a damaged database
      )
    SELECT group_concat(text, ' < ')
    FROM (
      SELECT
        iif(p.kind = 'truncated', '[unknown]', coalesce(l.function, '[unknown]') || coalesce(' (' || file_name(l.file) || ':' || l.line || ')', '')) AS text
      FROM up
      JOIN call_paths AS p ON p.id = up.id
      LEFT JOIN location_frames AS l ON l.location_id = p.location_id
      WHERE p.kind IS NOT 'root'
      ORDER BY up.step, l.depth
    )
  ) AS stack            -- "gather (app.c:5) < worker (app.c:21) < main (app.c:80)"; "[unknown]" at the end: the outer callers are not known
FROM call_paths AS c
WHERE c.kind IS NOT 'root';
