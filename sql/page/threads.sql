-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   threads
-- summary: The threads with samples.
-- keep:    1000 rows at most
SELECT
  t.id AS thread_id,                         -- counts from 1
  t.pid AS pid,                              -- the kernel's process number
  t.tid AS tid,                              -- the kernel's thread number
  t.comm AS comm,                            -- name (comm) of the thread at its end
  (t.start_ns - r.start_ns) / 1e9 AS start_s, -- start of the thread, seconds since the start of the recording; NULL: before the recording
  (t.end_ns - r.start_ns) / 1e9 AS end_s,    -- end of the thread, seconds since the start of the recording; NULL: after the recording, or not recorded
  c.samples AS samples,                      -- number of samples of the thread
  c.addressed AS addressed,                  -- number of samples whose data address, or at least whose object, is known (the "addressed samples")
  c.stores AS stores,                        -- number of addressed samples whose access writes
  c.thread_time AS thread_time,              -- time that the thread ran, in ns (timer) or core cycles (cycle counter)
  c.cost_pct AS cost_pct,                    -- share of the run's cost of memory, 0-100
  c.cost_low_pct AS cost_low_pct,            -- lower end of the 95 % interval of cost_pct
  c.cost_high_pct AS cost_high_pct,          -- upper end of the 95 % interval of cost_pct
  c.access_pct AS access_pct,       -- share of the run's accesses, 0-100; NULL: the samples measure time and do not count accesses
  c.access_low_pct AS access_low_pct, -- lower end of the 95 % interval of access_pct
  c.access_high_pct AS access_high_pct, -- upper end of the 95 % interval of access_pct
  c.latency_avg AS latency_avg,              -- mean latency of the samples that have a latency, core cycles; only hardware samplers measure it
  c.remote_pct AS remote_pct,                -- share of accesses to pages on a different node than the CPU, among the accesses for which both nodes are known, 0-100
  c.remote_low_pct AS remote_low_pct,        -- lower bound of the remote share of all addressed samples: samples with an unknown node count as local
  c.remote_high_pct AS remote_high_pct,      -- upper bound of the remote share of all addressed samples: samples with an unknown node count as remote
  c.home_pct AS home_pct                     -- coverage of remote_pct: share of the addressed samples for which the nodes of page and CPU are known, 0-100
FROM thread_costs AS c
JOIN threads AS t ON t.id = c.thread_id
CROSS JOIN runs AS r
ORDER BY c.cost DESC, c.access_pct DESC, c.samples DESC, t.id;
