-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   affinities
-- summary: The CPUs on which a thread may run: one row per change.
-- keep:    2000 rows at most
SELECT
  thread_id AS thread_id,              -- threads.thread_id
  max(0, coalesce(time_s, 0)) AS from_s, -- from this time on, the thread was allowed to run on these CPUs, seconds since the start of the recording
  to_cpus AS cpus,                     -- the CPUs on which the thread may run, in list format, such as "0-3,8"
  to_node_id AS node,                  -- the node of these CPUs; NULL: they belong to several nodes
  pinned AS pinned,                    -- 1: the thread cannot leave its node, 0: it can; NULL: not known
  reason AS reason                     -- how the change became known: "follower" (memdb reads affinities during the run), or the function that was called
FROM moves
WHERE kind = 'affinity'
ORDER BY time, thread_id;
