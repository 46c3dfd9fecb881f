-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   moves
-- summary: Moves of threads between CPUs and nodes, changes of their affinity, and pages that the kernel moved.
-- param:   kind - kind of move: thread (moves of threads, known from samples, page faults, allocations and tracepoints), migrate (the scheduler's decisions to move threads), affinity (changes of the CPUs on which threads may run), pages; default: thread
-- values:  kind thread, migrate, affinity, pages
-- param:   tid - only this thread: the kernel's number
-- param:   top 100 rows at most
-- column:  kind        thread: two successive records of a thread are on different CPUs; migrate: the scheduler decided to move the thread; affinity: the allowed CPUs changed; pages: the kernel moved pages
-- column:  tid         thread; kind=pages: the thread in which the kernel moved the pages; empty: not a thread of the run
-- column:  comm        the thread's name
-- column:  at_s        time of the first of these moves, seconds since the start
-- column:  from_cpus   kind=affinity: the previously allowed CPUs
-- column:  to_cpus     kind=affinity: the newly allowed CPUs
-- column:  from_node   previous node; empty: not known, or (kind=affinity) several nodes
-- column:  to_node     new node; empty: as for from_node
-- column:  crosses     1: from_node and to_node differ
-- column:  reason      kind=affinity: what reported the change (follower, or the function that the program called); kind=pages: the kernel's reason
-- column:  times       number of such moves
-- column:  pages       number of pages that were moved
-- column:  failed      number of pages that the kernel failed to move
-- column:  huge_pages  number of huge pages that were moved
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
WHERE kind = coalesce(:kind, 'thread') AND (:tid IS NULL OR tid = :tid)
-- Moves that are equal in these columns become one row with their number, but each change of an affinity has its own
-- row.
GROUP BY thread_id, tid, from_node_id, to_node_id, reason, iif(kind = 'affinity', time, NULL), iif(kind = 'affinity', to_cpus, NULL)
ORDER BY crosses DESC, iif(kind = 'affinity', time, NULL), pages DESC, times DESC, thread_id, tid, min(time), from_node_id, to_node_id, reason
LIMIT coalesce(:top, 100);
