-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns the cost of memory by call path. With :by 'wait', this is the call path of the waiting code; with 'object', it is the call path that
-- allocated the object, with the object's name as the innermost frame. Costs have the unit run_costs.cost_unit and add up to the cost of the run.
SELECT call_path_id, instruction_id, leaf, CAST(sum(cost) AS INTEGER) AS cost
FROM (
  SELECT
    s.call_path_id AS call_path_id, iif(s.call_path_id IS NULL, s.instruction_id, NULL) AS instruction_id, NULL AS leaf,
    sample_cost(m, s) AS cost
  FROM sample_data AS s
  JOIN kind_measures AS m ON m.id = s.kind_id
  WHERE :by = 'wait' AND m.cost IS NOT NULL
  UNION ALL
  SELECT o.call_path_id, NULL, coalesce(o.name, '[no object]'), t.cost + t.lost_cost
  FROM totals AS t
  LEFT JOIN objects AS o ON o.id = t.object_id
  WHERE :by = 'object' AND t.scope = 'object'
)
GROUP BY call_path_id, instruction_id, leaf
HAVING sum(cost) > 0
ORDER BY call_path_id, instruction_id, leaf;
