-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    thread_migrations
-- summary: Moves of threads to another CPU, and maybe node, as the scheduler decided them.
-- grain:   one row per recorded sched:sched_migrate_task
-- note:    a recording of one program has only the moves that its own threads made; the balancer mostly works in
--          others: thread_moves has all, less exactly in time
-- column:  id              INTEGER  tracepoints.id
-- column:  time            INTEGER  when, ns
-- column:  thread_id       INTEGER  threads.id of the thread that is moved; NULL: not of the run
-- column:  tid             INTEGER  its kernel number
-- column:  comm            TEXT     its name; NULL: not of the run
-- column:  from_cpu        INTEGER  where it was
-- column:  to_cpu          INTEGER  where it will run
-- column:  from_node_id    INTEGER  node of from_cpu; NULL: not known
-- column:  to_node_id      INTEGER  node of to_cpu; NULL: not known
-- column:  crosses         INTEGER  1: to another node, 0: not; NULL: not known
-- column:  by_thread_id    INTEGER  threads.id of the thread that was running when it was moved; NULL: not of the run
CREATE VIEW thread_migrations AS
WITH
  -- SQLite lets no view of an untrusted database use its JSON functions; a number behind its key needs none
  told AS MATERIALIZED (
    SELECT
      id, time, thread_id AS by_thread_id,
      cast(substr(fields, nullif(instr(fields, '"pid":'), 0) + 6) AS INTEGER) AS tid,
      cast(substr(fields, nullif(instr(fields, '"orig_cpu":'), 0) + 11) AS INTEGER) AS from_cpu,
      cast(substr(fields, nullif(instr(fields, '"dest_cpu":'), 0) + 11) AS INTEGER) AS to_cpu
    FROM tracepoints
    WHERE name = 'sched:sched_migrate_task' AND fields IS NOT NULL
  ),
  of_thread AS ( -- of threads that had this number one after the other, the one of that time
    SELECT m.*, t.id AS thread_id, t.comm AS comm, max(coalesce(t.start_ns, -1)) AS latest
    FROM told AS m
    LEFT JOIN threads AS t
      ON t.tid = m.tid AND coalesce(t.start_ns, m.time) <= m.time AND coalesce(t.end_ns, m.time) >= m.time
    GROUP BY m.id
  )
SELECT
  m.id AS id,
  m.time AS time,
  m.thread_id AS thread_id,
  m.tid AS tid,
  m.comm AS comm,
  m.from_cpu AS from_cpu,
  m.to_cpu AS to_cpu,
  a.node_id AS from_node_id,
  b.node_id AS to_node_id,
  a.node_id <> b.node_id AS crosses,
  m.by_thread_id AS by_thread_id
FROM of_thread AS m
LEFT JOIN cpus AS a ON a.id = m.from_cpu
LEFT JOIN cpus AS b ON b.id = m.to_cpu;
