-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   threads
-- summary: The threads with samples.
-- keep:    1000
SELECT
  t.id AS thread_id,                         -- counts from 1
  t.pid AS pid,                              -- the kernel's process number
  t.tid AS tid,                              -- the kernel's thread number
  t.comm AS comm,                            -- its last name
  (t.start_ns - r.start_ns) / 1e9 AS start_s, -- birth, seconds since the start; NULL: before the recording
  (t.end_ns - r.start_ns) / 1e9 AS end_s,    -- end; NULL: outlived the recording, or not seen
  c.samples AS samples,                      -- samples (count)
  c.addressed AS addressed,                  -- of these, with a data address (count)
  c.stores AS stores,                        -- of addressed, that write (count)
  c.thread_time AS thread_time,              -- ns (timer), or core cycles
  c.cost_pct AS cost_pct,                    -- share of all cost of the run, 0-100
  c.cost_low_pct AS cost_low_pct,            -- lower end of its 95 % interval
  c.cost_high_pct AS cost_high_pct,          -- upper end
  c.latency_avg AS latency_avg,              -- mean latency, core cycles (hardware)
  c.remote_pct AS remote_pct,                -- samples of pages on another node, of those whose nodes are known, 0-100
  c.remote_low_pct AS remote_low_pct,        -- least share of all
  c.remote_high_pct AS remote_high_pct,      -- largest share
  c.home_pct AS home_pct                     -- samples whose nodes are known, 0-100
FROM thread_costs AS c
JOIN threads AS t ON t.id = c.thread_id
CROSS JOIN runs AS r
ORDER BY c.cost DESC, c.samples DESC, t.id;
