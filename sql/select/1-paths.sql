-- SPDX-License-Identifier: GPL-2.0-or-later
-- Stores the ids of all call paths that contain a frame of :function, inlined or not.
INSERT INTO temp.selected_paths (id)
WITH RECURSIVE
  code AS MATERIALIZED (
    SELECT DISTINCT location_id FROM location_frames WHERE is_function(function, :function)
  ),
  inside (id) AS (
    SELECT p.id FROM call_paths AS p WHERE p.location_id IN (SELECT location_id FROM code)
    UNION
    SELECT p.id FROM inside AS i CROSS JOIN call_paths AS p ON p.parent_id = i.id
  )
SELECT id FROM inside;
