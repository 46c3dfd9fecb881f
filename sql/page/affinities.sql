-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   affinities
-- summary: On which CPUs threads may run, each time this changed.
-- keep:    2000
SELECT
  thread_id AS thread_id,              -- threads.thread_id
  max(0, coalesce(time_s, 0)) AS from_s, -- from then on, seconds since the start
  to_cpus AS cpus,                     -- the CPUs in list format
  to_node_id AS node,                  -- the only node these belong to; NULL: they span nodes
  pinned AS pinned,                    -- 1: the thread cannot leave its node, 0: it can; NULL: not known
  reason AS reason                     -- source: the follower, or the function that was called
FROM moves
WHERE kind = 'affinity'
ORDER BY time, thread_id;
