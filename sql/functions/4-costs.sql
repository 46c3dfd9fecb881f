-- SPDX-License-Identifier: GPL-2.0-or-later
-- The columns of costs.

-- Returns the run's row of totals with four more columns:
-- nodes         number of NUMA nodes
-- unit          the kind of cost (kind_measures.cost)
-- maybe_local   sum of the periods of waits that may have been for local pages of a different object than the one they are attributed
--               to: over all objects, other_waits.period times the object's local share. Objects that cost nothing, because they
--               stay in the first-level cache, are left out
-- maybe_remote  sum of the periods of waits that count as local, but may have been for pages of a different object that are
--               remote or whose node is unknown
run_totals() := (SELECT *, (SELECT count(*) FROM nodes) AS nodes, (SELECT max(cost) FROM kind_measures) AS unit, iif((SELECT count(*) FROM nodes) = 1, 0, (SELECT total(w.period * t.local_estimate / (t.local_estimate + t.remote_estimate)) FROM other_waits AS w CROSS JOIN totals AS t ON t.scope = 'object' AND t.object_id = w.object_id WHERE t.cost > 0)) AS maybe_local, iif((SELECT count(*) FROM nodes) = 1, 0, min(local_cost, (SELECT total(w.period * (1 - coalesce(t.local_estimate / t.estimate, 0))) FROM other_waits AS w LEFT JOIN totals AS t ON t.scope = 'object' AND t.object_id = w.object_id))) AS maybe_remote FROM totals WHERE scope = 'run')

-- Returns a row of totals for each group of objects. M is a table with the columns id (objects.id) and first_id, the smallest id of the group,
-- which identifies the group. The result has two more columns: object_id, the first_id (NULL: samples without an object), and sampled, the
-- number of the group's objects that have a sample.
grouped_totals(M) := (SELECT m.first_id AS object_id, count(DISTINCT t.object_id) AS sampled, count(DISTINCT iif(t.addressed > 0, t.thread_id, NULL)) AS threads, count(DISTINCT iif(t.stores > 0, t.thread_id, NULL)) AS writers, sum(t.samples) AS samples, sum(t.addressed) AS addressed, sum(t.loads) AS loads, sum(t.stores) AS stores, sum(t.local) AS local, sum(t.remote) AS remote, sum(t.hw_local) AS hw_local, sum(t.hw_remote) AS hw_remote, sum(t.remote_loads) AS remote_loads, sum(t.remote_stores) AS remote_stores, sum(t.waits) AS waits, sum(t.lost_waits) AS lost_waits, sum(t.measured) AS measured, sum(t.thread_time) AS thread_time, sum(t.undecided) AS undecided, sum(t.estimate) AS estimate, sum(t.estimate_sq) AS estimate_sq, sum(t.local_estimate) AS local_estimate, sum(t.remote_estimate) AS remote_estimate, sum(t.hw_local_estimate) AS hw_local_estimate, sum(t.hw_remote_estimate) AS hw_remote_estimate, sum(t.latency) AS latency, sum(t.measured_estimate) AS measured_estimate, sum(t.cost) AS cost, sum(t.lost_cost) AS lost_cost, sum(t.local_cost) AS local_cost, sum(t.remote_cost) AS remote_cost, sum(t.hw_local_cost) AS hw_local_cost, sum(t.hw_remote_cost) AS hw_remote_cost FROM totals AS t LEFT JOIN M AS m ON m.id = t.object_id WHERE t.scope = 'object_thread' GROUP BY m.first_id)

-- grouped_objects returns the number of objects of each group; grouped_waits returns for each group the sum of its objects'
-- other_waits.period. M is as in grouped_totals.
grouped_objects(M) := (SELECT first_id, count(*) AS objects FROM M GROUP BY first_id)
grouped_waits(M) := (SELECT m.first_id AS first_id, sum(w.period) AS period FROM other_waits AS w JOIN M AS m ON m.id = w.object_id GROUP BY m.first_id)

-- Returns an upper bound of the share of the run's thread time that waited for an object, percent: the upper end of the 95 % interval of all time
-- that may have been waiting for it, also time that may have been arithmetic. NULL if costs are not waiting times. T, R and O are as in cost_columns.
time_most(T, R, O) := iif(R.unit = 'period' AND T.object_id IS NOT NULL, share_high(min(T.cost + O + R.lost_cost, R.thread_time), R.thread_time, R.thread_time_sq), NULL)

-- unknown_cost returns the part of the cost in row T of totals that may be remote or local: the cost of accesses with an unknown page, page node
-- or CPU node, and of waits with a lost address. claimed_cost also includes all waits that may have been for the object of T. R and O are as in
-- cost_columns.
unknown_cost(T) := (T.cost - T.local_cost - T.remote_cost + T.lost_cost + T.undecided)
claimed_cost(T, R, O) := (T.cost - T.local_cost - T.remote_cost + iif(T.object_id IS NULL, T.lost_cost + T.undecided, O + R.lost_cost + R.undecided))

-- Returns the columns that all views of costs have. T is a row of totals, R is run_totals(), and O is other_waits.period of T's object (0 without
-- an object). In shares, a sample is weighted by its period, the number of events that it represents; intervals use the effective sample size.
-- A share that is partly unknown has two bounds: low_pct counts none of the unknown part, high_pct all of it.
cost_columns(T, R, O) := T.samples AS samples,                                     -- number of samples that the row summarizes
  T.addressed AS addressed,                                 -- number of samples whose data address, or at least whose object, is known (the "addressed samples")
  T.loads AS loads,                                         -- number of addressed samples whose access reads
  T.stores AS stores,                                       -- number of addressed samples whose access writes
  T.threads AS threads,                                     -- number of threads with an addressed sample
  T.writers AS writers,                                     -- number of threads with an addressed sample whose access writes
  nullif(T.thread_time, 0) AS thread_time,                  -- time that threads ran, in ns if a timer sampled it, in core cycles if a cycle counter did; NULL: not measured
  T.waits AS waits,                                         -- number of samples in which the thread waited for an access whose address or object is known; only samples of time (timer, cycle counter) show waits
  T.lost_waits AS lost_waits,                               -- number of samples in which the thread waited for an access whose address and object are both lost, for example because its register was overwritten
  iif(R.cost + R.lost_cost > 0, T.cost + T.lost_cost, NULL) AS cost, -- cost of memory accesses, in run_costs.cost_unit; NULL: not measured
  100.0 * (T.cost + T.lost_cost) / nullif(R.cost + R.lost_cost, 0) AS cost_pct, -- share of the run's cost of memory, 0-100; NULL: no cost was measured
  share_low((T.cost + T.lost_cost), (R.cost + R.lost_cost), R.cost_sq) AS cost_low_pct, -- lower end of the 95 % interval of cost_pct
  share_high((T.cost + T.lost_cost), (R.cost + R.lost_cost), R.cost_sq) AS cost_high_pct, -- upper end of the 95 % interval of cost_pct
  iif(R.unit = 'period', 100.0 * (T.cost + T.lost_cost) / nullif(R.thread_time, 0), NULL) AS time_pct, -- the cost as a share of the run's thread time, 0-100; NULL: the cost is no waiting time
  100.0 * T.lost_cost / nullif(R.cost + R.lost_cost, 0) AS lost_cost_pct, -- the part of cost_pct that comes from waits for accesses whose address and object are lost
  T.measured AS measured,                                   -- number of addressed samples with a latency, which only hardware samplers measure
  T.latency / nullif(T.measured_estimate, 0) AS latency_avg, -- mean latency of the samples that `measured` counts, core cycles; NULL: there are no such samples
  T.local AS local,                                         -- number of addressed samples whose page is on the CPU's own node (M_l in Liu & Mellor-Crummey 2014)
  T.remote AS remote,                                       -- number of addressed samples whose page is on a different node than the CPU (M_r in the same paper)
  T.addressed - T.local - T.remote AS unknown,              -- number of addressed samples that are neither local nor remote, because the page, its node or the CPU's node is not known
  T.estimate AS estimate,                                   -- what the addressed samples represent (sum of their periods): accesses (hardware samplers), ns (timer) or cycles (cycle counter)
  iif(R.thread_time = 0, 100.0 * T.estimate / nullif(R.estimate, 0), NULL) AS access_pct, -- share of the run's accesses, 0-100; NULL: the samples measure time and do not count accesses
  iif(R.thread_time = 0, share_low(T.estimate, R.estimate, R.estimate_sq), NULL) AS access_low_pct, -- lower end of the 95 % interval of access_pct; equal to access_pct if every access was counted
  iif(R.thread_time = 0, share_high(T.estimate, R.estimate, R.estimate_sq), NULL) AS access_high_pct, -- upper end of the 95 % interval of access_pct
  T.local_estimate AS local_estimate,                       -- sum of the periods of the samples that `local` counts, in the unit of `estimate`
  T.remote_estimate AS remote_estimate,                     -- sum of the periods of the samples that `remote` counts, in the unit of `estimate`
  T.remote_loads AS remote_loads,                           -- number of samples that `remote` counts and whose access reads
  T.remote_stores AS remote_stores,                         -- number of samples that `remote` counts and whose access writes
  iif(R.nodes <> 1, 100.0 * T.remote_estimate / nullif(T.local_estimate + T.remote_estimate, 0), NULL) AS remote_pct, -- remote share of the accesses that are known to be local or remote: remote_estimate / (local_estimate + remote_estimate), 0-100; NULL: there are no such accesses, or only one node
  iif(R.nodes <> 1 AND T.local + T.remote > 0, share_low(T.remote_estimate, T.estimate, T.estimate_sq), NULL) AS remote_low_pct, -- lower bound of the remote share of all addressed samples, 0-100: samples that `unknown` counts are taken as local; lower end of the 95 % interval
  iif(R.nodes <> 1 AND T.local + T.remote > 0, share_high((T.estimate - T.local_estimate), T.estimate, T.estimate_sq), NULL) AS remote_high_pct, -- upper bound of the remote share of all addressed samples, 0-100: samples that `unknown` counts are taken as remote; upper end of the 95 % interval
  100.0 * (T.local_estimate + T.remote_estimate) / nullif(T.estimate, 0) AS home_pct, -- coverage of remote_pct: share of the addressed samples that are known to be local or remote, 0-100
  iif(R.nodes <> 1, 100.0 * T.remote_cost / nullif(R.remote_cost, 0), NULL) AS remote_cost_pct, -- share of the run's cost of accesses to remote pages, 0-100; NULL: the run has no such cost
  iif(R.nodes <> 1 AND R.remote_cost > 0, share_low(T.remote_cost, (R.remote_cost + unknown_cost(R) - (unknown_cost(T))), ((R.remote_cost + unknown_cost(R) - (unknown_cost(T))) * R.cost_sq / (R.cost + R.lost_cost))), NULL) AS remote_cost_low_pct, -- lower bound of remote_cost_pct: cost with an unknown page node or CPU node counts as local in this row, and as remote in all other rows; lower end of the 95 % interval
  iif(R.nodes <> 1 AND R.remote_cost > 0, share_high((T.remote_cost + claimed_cost(T, R, O)), (R.remote_cost + claimed_cost(T, R, O)), ((R.remote_cost + claimed_cost(T, R, O)) * R.cost_sq / (R.cost + R.lost_cost))), NULL) AS remote_cost_high_pct, -- upper bound of remote_cost_pct: cost with an unknown page node or CPU node counts as remote in this row, and as local in all other rows; for an object, all waits that may have been for it count as its cost; upper end of the 95 % interval
  iif(R.nodes <> 1 AND R.unit = 'period', share_low(max(0.0, T.remote_cost - R.maybe_local), R.thread_time, R.thread_time_sq), NULL) AS numa_low_pct, -- lower bound of the share of the run's thread time that was spent in waits for memory of other nodes, 0-100; lower end of the 95 % interval. Leaves out waits that may have been for local pages of other objects. NULL: one node, or no samples of time
  iif(R.nodes <> 1 AND R.unit = 'period', share_high(min(T.cost - T.local_cost + iif(T.object_id IS NULL, min(R.maybe_remote, T.local_cost) + T.lost_cost + T.undecided, O + R.lost_cost + R.undecided), R.thread_time), R.thread_time, R.thread_time_sq), NULL) AS numa_high_pct, -- upper bound of the share of the run's thread time that was spent in waits for memory of other nodes, 0-100; upper end of the 95 % interval. Includes all waits with an unknown node; for an object all waits that may have been for it; for another row the waits that count as local but may have been for pages that are remote or unknown
  T.hw_local AS hw_local,                                   -- number of addressed samples that a cache or memory of the CPU's own node served, according to the hardware
  T.hw_remote AS hw_remote,                                 -- number of addressed samples that a cache or memory of another node served, according to the hardware
  100.0 * T.hw_remote_estimate / nullif(T.hw_local_estimate + T.hw_remote_estimate, 0) AS hw_remote_pct, -- share of the samples that `hw_remote` counts among those that `hw_local` or `hw_remote` counts, by the sums of their periods, 0-100; NULL: the hardware does not report it
  iif(T.hw_local + T.hw_remote > 0, share_low(T.hw_remote_estimate, T.estimate, T.estimate_sq), NULL) AS hw_remote_low_pct, -- lower bound of the share of hw_remote in all addressed samples, computed in the same way as remote_low_pct
  iif(T.hw_local + T.hw_remote > 0, share_high((T.estimate - T.hw_local_estimate), T.estimate, T.estimate_sq), NULL) AS hw_remote_high_pct, -- upper bound of the share of hw_remote in all addressed samples, computed in the same way as remote_high_pct
  100.0 * (T.hw_local_estimate + T.hw_remote_estimate) / nullif(T.estimate, 0) AS hw_pct, -- coverage of hw_remote_pct: share of the addressed samples that `hw_local` or `hw_remote` counts, 0-100
  100.0 * T.hw_remote_cost / nullif(R.hw_remote_cost, 0) AS hw_remote_cost_pct, -- share of the run's cost of accesses that another node served, according to the hardware, 0-100; NULL: the run has no such cost
  iif(R.hw_remote_cost > 0, share_low(T.hw_remote_cost, (R.cost - R.hw_local_cost - (T.cost - T.hw_local_cost - T.hw_remote_cost)), ((R.cost - R.hw_local_cost - (T.cost - T.hw_local_cost - T.hw_remote_cost)) * R.cost_sq / (R.cost + R.lost_cost))), NULL) AS hw_remote_cost_low_pct, -- lower bound of hw_remote_cost_pct, computed in the same way as remote_cost_low_pct
  iif(R.hw_remote_cost > 0, share_high((T.cost - T.hw_local_cost), (R.hw_remote_cost + T.cost - T.hw_local_cost - T.hw_remote_cost), ((R.hw_remote_cost + T.cost - T.hw_local_cost - T.hw_remote_cost) * R.cost_sq / (R.cost + R.lost_cost))), NULL) AS hw_remote_cost_high_pct -- upper bound of hw_remote_cost_pct, computed in the same way as remote_cost_high_pct

-- Returns the columns of cost_columns that the HTML page shows for each function and line.
page_costs() := cost_pct AS cost_pct,           -- share of the run's cost of memory, 0-100
  cost_low_pct AS cost_low_pct,   -- lower end of the 95 % interval of cost_pct
  cost_high_pct AS cost_high_pct, -- upper end of the 95 % interval of cost_pct
  lost_cost_pct AS lost_cost_pct, -- the part of cost_pct that comes from waits for accesses whose address and object are lost
  access_pct AS access_pct,       -- share of the run's accesses, 0-100; NULL: the samples measure time and do not count accesses
  access_low_pct AS access_low_pct, -- lower end of the 95 % interval of access_pct
  access_high_pct AS access_high_pct, -- upper end of the 95 % interval of access_pct
  latency_avg AS latency_avg,     -- mean latency of the samples that have a latency, core cycles; only hardware samplers measure it
  remote_pct AS remote_pct,       -- share of accesses to pages on a different node than the CPU, among the accesses for which both nodes are known, 0-100
  remote_low_pct AS remote_low_pct, -- lower bound of the remote share of all addressed samples: samples with an unknown node count as local
  remote_high_pct AS remote_high_pct, -- upper bound of the remote share of all addressed samples: samples with an unknown node count as remote
  home_pct AS home_pct            -- coverage of remote_pct: share of the addressed samples for which the nodes of page and CPU are known, 0-100
