-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   objects
-- summary: The objects with the highest cost, and one row for samples without an object.
-- keep:    400 rows at most
SELECT
  o.object_id AS object_id,       -- number of the object, from 1; NULL: samples without an object
  o.object AS object,             -- objects.name, such as the name of the variable
  o.kind AS kind,                 -- kind of the object: "heap", "static", "stack" or "mapping"
  o.size_bytes AS size_bytes,     -- size; of a heap object: the maximum number of bytes allocated at one time
  o.allocations AS allocations,   -- of a heap object: number of its blocks
  j.allocated_bytes AS allocated_bytes, -- of a heap object: sum of the sizes of all its blocks, bytes
  o.estimated AS estimated,       -- 1: size_bytes and allocations are estimates, because only some of the small blocks were recorded
  j.function AS function,         -- function that allocates or declares the object
  f.path AS file,                 -- source file
  j.line AS line,                 -- source line
  j.call_path_id AS path_id,      -- of a heap object: paths.id of the call path that allocates it
  o.rank AS rank,                 -- rank by cost, from 1; if there are too few samples to state costs, rank by the number of samples
  o.cost_pct AS cost_pct,         -- share of the run's cost of memory, 0-100; NULL: no cost was measured
  o.cost_low_pct AS cost_low_pct, -- lower end of the 95 % interval of cost_pct
  o.cost_high_pct AS cost_high_pct, -- upper end of the 95 % interval of cost_pct
  o.time_pct AS time_pct,         -- the cost as a share of the run's thread time, 0-100; NULL: the cost is no waiting time
  o.time_most_pct AS time_most_pct, -- upper bound of time_pct: counts all time that may have been waiting for the object
  o.access_pct AS access_pct,       -- share of the run's accesses, 0-100; NULL: the samples measure time and do not count accesses
  o.access_low_pct AS access_low_pct, -- lower end of the 95 % interval of access_pct
  o.access_high_pct AS access_high_pct, -- upper end of the 95 % interval of access_pct
  o.samples AS samples,           -- number of samples of the object
  o.addressed AS addressed,       -- number of samples whose data address, or at least whose object, is known (the "addressed samples")
  o.loads AS loads,               -- number of addressed samples whose access reads
  o.stores AS stores,             -- number of addressed samples whose access writes
  o.threads AS threads,           -- number of threads that access the object
  o.writers AS writers,           -- number of threads that write to the object
  o.latency_avg AS latency_avg,   -- mean latency of the samples that have a latency, core cycles; only hardware samplers measure it
  o.remote_pct AS remote_pct,     -- share of accesses to pages on a different node than the CPU, among the accesses for which both nodes are known, 0-100
  o.remote_low_pct AS remote_low_pct, -- lower bound of the remote share of all addressed samples: samples with an unknown node count as local
  o.remote_high_pct AS remote_high_pct, -- upper bound of the remote share of all addressed samples: samples with an unknown node count as remote
  o.home_pct AS home_pct,         -- coverage of remote_pct: share of the addressed samples for which the nodes of page and CPU are known, 0-100
  o.remote_cost_pct AS remote_cost_pct, -- share of the run's cost of accesses to remote pages, 0-100
  o.remote_cost_low_pct AS remote_cost_low_pct, -- lower bound of remote_cost_pct: cost with unknown nodes counts as local for this object, and as remote for others
  o.remote_cost_high_pct AS remote_cost_high_pct, -- upper bound of remote_cost_pct: cost with unknown nodes counts as remote for this object, and as local for others
  u.pattern AS pattern,           -- how threads use the object: "private", "blocks", …, as in the view object_patterns; NULL: not known
  a.advice AS advice,             -- the change that memdb suggests first, a sentence (object_hints.advice)
  d.delta AS delta,               -- mean extra distance of the object's accesses beyond their own node, as in the view numa_distance; 0: all accesses are local
  d.delta_low AS delta_low,       -- lower bound of delta: accesses with unknown nodes count as local
  d.delta_high AS delta_high      -- upper bound of delta: accesses with unknown nodes count as between the farthest pair of nodes
FROM object_costs AS o
LEFT JOIN objects AS j ON j.id = o.object_id
LEFT JOIN files AS f ON f.id = j.file_id
LEFT JOIN object_patterns AS u ON u.object_id = o.object_id
LEFT JOIN (SELECT object_id, min(priority), advice FROM object_hints GROUP BY object_id) AS a ON a.object_id = o.object_id
LEFT JOIN numa_distance AS d ON d.scope = 'object' AND d.object_id = o.object_id
ORDER BY o.object_id IS NULL DESC, o.rank;
