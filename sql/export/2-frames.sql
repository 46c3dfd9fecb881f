-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns the frames of a call path (:path), or of an instruction that was sampled without a call path (:instruction): outermost frame first,
-- including inlined frames.
WITH RECURSIVE
  up (step, id) AS (
    SELECT 0, :path WHERE :path IS NOT NULL
    UNION ALL
    SELECT up.step + 1, p.parent_id FROM up JOIN call_paths AS p ON p.id = up.id WHERE p.parent_id < up.id
  ),
  frames AS (
    SELECT up.step AS step, l.depth AS depth, iif(p.kind = 'truncated', '[unknown]', coalesce(l.function, '[unknown]')) AS function, l.file AS file, iif(up.step > 0 AND is_unknown_call(p.location_id), NULL, l.line) AS line
    FROM up
    JOIN call_paths AS p ON p.id = up.id
    LEFT JOIN location_frames AS l ON l.location_id = p.location_id
    WHERE p.kind IS NOT 'root'
    UNION ALL
    SELECT 0, l.depth, coalesce(l.function, '[unknown]'), l.file, l.line
    FROM instructions AS i
    LEFT JOIN location_frames AS l ON l.location_id = i.location_id
    WHERE i.id = :instruction
  )
SELECT function, file, line FROM frames ORDER BY step DESC, depth DESC;
