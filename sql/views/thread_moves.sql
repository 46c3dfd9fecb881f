-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    thread_moves
-- summary: Threads that ran on another CPU, and maybe node, than the time before.
-- grain:   one row per recorded sched:sched_switch whose CPU differs from that of the thread's one before
-- note:    the move is somewhere between the two times; one of a thread that never left a CPU before is not seen
-- column:  id              INTEGER  tracepoints.id of the switch that ended the run on to_cpu
-- column:  thread_id       INTEGER  threads.id
-- column:  tid             INTEGER  its kernel number
-- column:  comm            TEXT     the thread's name
-- column:  left_ns         INTEGER  when it left from_cpu, ns
-- column:  time            INTEGER  when it left to_cpu, ns
-- column:  from_cpu        INTEGER  where it ran before
-- column:  to_cpu          INTEGER  where it ran then
-- column:  from_node_id    INTEGER  node of from_cpu; NULL: not known
-- column:  to_node_id      INTEGER  node of to_cpu; NULL: not known
-- column:  crosses         INTEGER  1: to another node, 0: not; NULL: not known
CREATE VIEW thread_moves AS
WITH
  runs_on AS (
    SELECT
      id, time, thread_id, cpu,
      lag(cpu) OVER w AS before_cpu,
      lag(time) OVER w AS before_ns
    FROM tracepoints
    WHERE name = 'sched:sched_switch' AND thread_id IS NOT NULL AND cpu IS NOT NULL
    WINDOW w AS (PARTITION BY thread_id ORDER BY time, id)
  )
SELECT
  r.id AS id,
  r.thread_id AS thread_id,
  t.tid AS tid,
  t.comm AS comm,
  r.before_ns AS left_ns,
  r.time AS time,
  r.before_cpu AS from_cpu,
  r.cpu AS to_cpu,
  a.node_id AS from_node_id,
  b.node_id AS to_node_id,
  a.node_id <> b.node_id AS crosses
FROM runs_on AS r
LEFT JOIN threads AS t ON t.id = r.thread_id
LEFT JOIN cpus AS a ON a.id = r.before_cpu
LEFT JOIN cpus AS b ON b.id = r.cpu
WHERE r.before_cpu <> r.cpu;
