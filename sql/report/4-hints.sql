-- SPDX-License-Identifier: GPL-2.0-or-later
-- What the figures above say about what to do: one sentence a row.
SELECT 'only ' || sum(samples) || ' samples: shares are rough; run longer or sample faster (-F)'
FROM accesses
HAVING sum(samples) < 200
UNION ALL
SELECT object || ': ' || printf('%.0f %%', remote_pct) || ' of its accesses are to another node and all its pages are on node ' || node
  || ': initialise it in parallel, or interleave it'
FROM (
  SELECT l.object AS object, l.remote_pct AS remote_pct, min(t.node_id) AS node
  FROM object_latency AS l
  JOIN object_first_touch AS t ON t.object_id = l.object_id AND t.node_id IS NOT NULL
  WHERE l.remote_pct >= 50 AND l.accesses >= 50
  GROUP BY l.object_id
  HAVING count(DISTINCT t.node_id) = 1
  ORDER BY l.accesses DESC
  LIMIT 3
);
