-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   objects
-- summary: The objects with the highest cost, and one row for samples without an object.
-- keep:    400 rows at most
SELECT
  o.object_id AS object_id,       -- counts from 1; NULL: samples without an object
  o.object AS object,             -- the object's name
  o.kind AS kind,                 -- "heap", "static", "stack", "mapping"
  o.size_bytes AS size_bytes,     -- heap: the most bytes that were allocated at one time
  o.allocations AS allocations,   -- heap: number of blocks
  j.allocated_bytes AS allocated_bytes, -- heap: sum of the sizes of all its blocks
  o.estimated AS estimated,       -- 1: size_bytes and allocations are estimates
  j.function AS function,         -- function that allocates or declares the object
  f.path AS file,                 -- source file
  j.line AS line,                 -- source line
  j.call_path_id AS path_id,      -- heap: paths.id of the allocating call path
  o.cost_pct AS cost_pct,         -- share of the run's cost, 0-100; NULL: not measured
  o.cost_low_pct AS cost_low_pct, -- lower end of the 95 % interval of cost_pct
  o.cost_high_pct AS cost_high_pct, -- upper end of the 95 % interval of cost_pct
  o.cost_most_pct AS cost_most_pct, -- upper bound of cost_pct: counts all waits that may have been for the object
  o.access_pct AS access_pct,       -- share of the run's accesses, 0-100; NULL: samples are of time, not of accesses
  o.access_low_pct AS access_low_pct, -- lower end of the 95 % interval of access_pct
  o.access_high_pct AS access_high_pct, -- upper end of the 95 % interval of access_pct
  o.samples AS samples,           -- number of samples
  o.addressed AS addressed,       -- samples whose data address, or at least the object, is known (count)
  o.loads AS loads,               -- addressed samples that read (count)
  o.stores AS stores,             -- addressed samples that write (count)
  o.threads AS threads,           -- threads that access the object (count)
  o.writers AS writers,           -- threads that write to the object (count)
  o.latency_avg AS latency_avg,   -- mean latency of the samples that have one, core cycles (hardware)
  o.remote_pct AS remote_pct,     -- share of accesses to pages on another node among those whose nodes are known, 0-100
  o.remote_low_pct AS remote_low_pct, -- lower bound of the share of all samples, including those with an unknown node
  o.remote_high_pct AS remote_high_pct, -- upper bound of the share of all samples, including those with an unknown node
  o.home_pct AS home_pct,         -- coverage: share of addressed samples whose nodes are known, 0-100
  o.remote_cost_pct AS remote_cost_pct, -- share of the run's cost of remote pages, 0-100
  o.remote_cost_low_pct AS remote_cost_low_pct, -- lower bound: of the cost whose nodes are unknown, all of others is remote
  o.remote_cost_high_pct AS remote_cost_high_pct, -- upper bound: all of this object is remote
  u.pattern AS pattern,           -- how threads use the object, as in object_patterns; NULL: not known
  a.advice AS advice,             -- the suggested change
  d.delta AS delta,               -- mean extra distance of its accesses, as in numa_distance; 0: all are local
  d.delta_low AS delta_low,       -- lower bound of delta: unknown accesses are local
  d.delta_high AS delta_high      -- upper bound of delta: unknown accesses are those of the farthest pair of nodes
FROM object_costs AS o
LEFT JOIN objects AS j ON j.id = o.object_id
LEFT JOIN files AS f ON f.id = j.file_id
LEFT JOIN object_patterns AS u ON u.object_id = o.object_id
LEFT JOIN (SELECT object_id, min(priority), advice FROM object_hints GROUP BY object_id) AS a ON a.object_id = o.object_id
LEFT JOIN numa_distance AS d ON d.scope = 'object' AND d.object_id = o.object_id
ORDER BY o.object_id IS NULL DESC, o.rank;
