-- SPDX-License-Identifier: GPL-2.0-or-later
-- Sums of the samples' costs, by object and by function, must equal the views of costs.
SELECT 'object' AS what, coalesce(s.object, '[no object]') AS name, total(s.cost) AS cost,
  (SELECT c.cost FROM object_costs AS c WHERE c.object_id IS s.object_id) AS told
FROM access_samples AS s
GROUP BY s.object_id
UNION ALL
SELECT 'function', s.function, total(s.cost), (SELECT sum(c.cost) FROM function_costs AS c WHERE c.function = s.function)
FROM access_samples AS s
GROUP BY s.function
UNION ALL
SELECT 'run', '', total(s.cost), (SELECT cost FROM run_costs) FROM access_samples AS s;
