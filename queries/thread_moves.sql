-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   thread_moves
-- summary: How often each thread was on another CPU than before, from node to node.
-- param:   source - who tells: switch (recorded with --trace=sched; if not said, where it is there), sample (else), migrate
-- values:  source switch, sample, migrate
-- param:   top 50 rows at most
-- column:  source     switch: each time that it left a CPU; sample: its samples in a row; migrate: the scheduler
-- column:  thread_id  threads.id
-- column:  tid        thread
-- column:  comm       its name
-- column:  from_node  node it left; empty: not known
-- column:  to_node    node it came to
-- column:  moves      how often
-- column:  crosses    1: another node
WITH
  teller AS MATERIALIZED (
    SELECT coalesce(:source, iif(EXISTS (SELECT 1 FROM tracepoints WHERE name LIKE 'sched%sched_switch'), 'switch', 'sample')) AS source
  )
SELECT
  m.source AS source,
  m.thread_id AS thread_id,
  m.tid AS tid,
  m.comm AS comm,
  m.from_node_id AS from_node,
  m.to_node_id AS to_node,
  count(*) AS moves,
  m.crosses AS crosses
FROM thread_moves AS m
WHERE m.source = (SELECT source FROM teller)
GROUP BY m.thread_id, m.tid, m.from_node_id, m.to_node_id
ORDER BY m.crosses DESC, moves DESC, m.thread_id, m.from_node_id, m.to_node_id
LIMIT coalesce(:top, 50);
