-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns the samples that have a cost, sorted by thread and time: thread, milliseconds since the start of the recording, call path as in
-- 1-paths.sql (:by), and cost in the unit run_costs.cost_unit.
SELECT
  coalesce(s.thread_id, 0) AS thread_id, (s.time - r.start_ns) / 1e6 AS time_ms,
  iif(:by = 'wait', s.call_path_id, o.call_path_id) AS call_path_id,
  iif(:by = 'wait' AND s.call_path_id IS NULL, s.instruction_id, NULL) AS instruction_id,
  iif(:by = 'wait', NULL, coalesce(o.name, '[no object]')) AS leaf,
  sample_cost(m, s) AS cost
FROM sample_data AS s
CROSS JOIN runs AS r
CROSS JOIN kind_measures AS m ON m.id = s.kind_id
LEFT JOIN objects AS o ON o.id = s.object_id
WHERE m.cost IS NOT NULL
ORDER BY thread_id, s.time, s.id;
