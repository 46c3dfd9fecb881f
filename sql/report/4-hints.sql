-- SPDX-License-Identifier: GPL-2.0-or-later
-- What the figures above say about what to do, and how far they reach: one sentence a row.
SELECT 'only ' || coalesce(sum(samples), 0) || iif(sum(samples) = 1, ' sample', ' samples') || ': shares are rough; run longer or sample faster (-F)'
FROM accesses
HAVING coalesce(sum(samples), 0) < 200
UNION ALL
SELECT 'no sample has a data address: perf recorded none, and no registers to compute them from; see `memdb import --help`'
FROM (SELECT sum(samples) AS n, sum(accesses) AS accesses FROM accesses)
WHERE n > 0 AND accesses = 0
UNION ALL
SELECT 'most of the waiting is for objects that are not known: look at the lines, and at what they walk through'
FROM (SELECT sum(wait_ns) AS known, sum(lost_wait_ns) AS lost, sum(waits) + sum(lost_waits) AS n FROM accesses)
WHERE lost > known AND n >= 50
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
)
UNION ALL
SELECT 'cost is where time passed, an upper bound of what faster memory can gain; its interval covers the sampling only'
FROM (SELECT sum(waits) AS n FROM accesses)
WHERE n > 0;
