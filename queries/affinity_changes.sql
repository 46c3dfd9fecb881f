-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   affinity_changes
-- summary: Where threads were allowed to run, and each time that this changed.
-- param:   tid - only this thread: the kernel's number
-- param:   top 100 rows at most
-- column:  tid     thread
-- column:  comm    its name
-- column:  at_s    from then on, seconds since the start
-- column:  before  the CPUs before
-- column:  cpus    the CPUs
-- column:  node    their only node; empty: they span nodes
-- column:  source  who says so: the follower, or the function that was called
SELECT
  c.tid AS tid,
  c.comm AS comm,
  round((c.time - r.start_ns) / 1e9, 3) AS at_s,
  c.before AS before,
  c.cpus AS cpus,
  c.node_id AS node,
  c.source AS source
FROM affinity_changes AS c, runs AS r
WHERE :tid IS NULL OR c.tid = :tid
ORDER BY c.time, c.thread_id
LIMIT coalesce(:top, 100);
