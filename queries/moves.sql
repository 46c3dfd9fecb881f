-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   moves
-- summary: Where threads went and were allowed to go, from node to node, and which pages the kernel moved.
-- param:   kind - of what: switch (threads, recorded with --trace=sched; if not said, where it is there), sample (threads, by their samples; else), migrate (the scheduler's own word), affinity (CPUs that threads may run on), pages
-- values:  kind switch, sample, migrate, affinity, pages
-- param:   tid - only this thread: the kernel's number
-- param:   top 100 rows at most
-- column:  kind        switch: each time that a thread left a CPU; sample: its samples in a row; migrate; affinity; pages
-- column:  tid         thread; pages: in which it happened, empty: not of the run
-- column:  comm        its name
-- column:  at_s        the first time, seconds since the start
-- column:  from_cpus   affinity: the CPUs before
-- column:  to_cpus     affinity: the CPUs
-- column:  from_node   node before; empty: not known, or affinity: they span nodes
-- column:  to_node     node then
-- column:  crosses     1: another node
-- column:  reason      affinity: the source (follower, or the function that was called); pages: why
-- column:  times       how often
-- column:  pages       pages moved
-- column:  failed      pages not moved
-- column:  huge_pages  huge pages moved
WITH
  asked AS MATERIALIZED (
    SELECT coalesce(:kind, iif(EXISTS (SELECT 1 FROM tracepoints WHERE name LIKE 'sched%sched_switch'), 'switch', 'sample')) AS kind
  )
SELECT
  kind,
  tid,
  comm,
  round(min(time_s), 3) AS at_s,
  iif(kind = 'affinity', from_cpus, NULL) AS from_cpus,
  iif(kind = 'affinity', to_cpus, NULL) AS to_cpus,
  from_node_id AS from_node,
  to_node_id AS to_node,
  crosses,
  reason,
  count(*) AS times,
  sum(pages) AS pages,
  sum(failed) AS failed,
  sum(huge_pages) AS huge_pages
FROM moves
WHERE kind = (SELECT kind FROM asked) AND (:tid IS NULL OR tid = :tid)
-- each change of an affinity is a row
GROUP BY thread_id, tid, from_node_id, to_node_id, reason, iif(kind = 'affinity', time, NULL), iif(kind = 'affinity', to_cpus, NULL)
ORDER BY crosses DESC, iif(kind = 'affinity', time, NULL), pages DESC, times DESC, thread_id, tid, from_node_id, to_node_id, reason
LIMIT coalesce(:top, 100);
