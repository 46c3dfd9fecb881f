-- SPDX-License-Identifier: GPL-2.0-or-later
-- Stores the samples from :from to :to seconds after the start (NULL: no bound) that are in :function (NULL: all functions).
INSERT INTO temp.sample_data
SELECT s.*
FROM main.sample_data AS s
CROSS JOIN runs AS r
WHERE (:from IS NULL OR s.time >= r.start_ns + :from * 1e9)
  AND (:to IS NULL OR s.time < r.start_ns + :to * 1e9)
  AND (
    :function IS NULL
    OR s.instruction_id IN (SELECT id FROM temp.selected_instructions)
    OR s.call_path_id IN (SELECT id FROM temp.selected_paths WHERE certain)
  );
