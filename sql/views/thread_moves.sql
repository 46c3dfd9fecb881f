-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW thread_moves AS
-- view:    thread_moves
-- summary: Threads that were on another CPU, and maybe node, than the time before.
-- grain:   one row per move that one source tells; ask for one source: "switch" where there are any, else "sample"
-- note:    switch: sched:sched_switch, each time that a thread left a CPU. sample: samples in a row, for which no tracepoint is
--          needed (of more than 131,072, every n-th); a thread that came back between two of them is not seen to have moved. migrate:
--          sched:sched_migrate_task, the scheduler's own word; a recording of one program has only those that its own threads made
WITH RECURSIVE
  drawn (id, step, last) AS ( -- every n-th sample, n being the least that leaves 131,072
    SELECT 1, (n + 131071) / 131072, n
    FROM (SELECT (SELECT max(id) FROM sample_data) AS n) -- a seek; in the FROM clause max() scans
    WHERE n > 0
    UNION ALL
    SELECT id + step, step, last FROM drawn WHERE id + step <= last
  ),
  seen AS (
    SELECT 'switch' AS source, time, thread_id, cpu
    FROM tracepoints
    WHERE name = 'sched:sched_switch' AND thread_id IS NOT NULL AND cpu IS NOT NULL
    UNION ALL
    SELECT 'sample', s.time, s.thread_id, s.cpu
    FROM drawn AS d
    CROSS JOIN sample_data AS s ON s.id = d.id
    WHERE s.thread_id IS NOT NULL AND s.cpu IS NOT NULL
  ),
  steps AS (
    SELECT source, time, thread_id, cpu, lag(cpu) OVER w AS before_cpu, lag(time) OVER w AS before_ns
    FROM seen
    WINDOW w AS (PARTITION BY source, thread_id ORDER BY time)
  ),
  -- SQLite lets no view of an untrusted database use its JSON functions; a number behind its key needs none
  told AS MATERIALIZED (
    SELECT
      id, time,
      cast(substr(fields, nullif(instr(fields, '"pid":'), 0) + 6) AS INTEGER) AS tid,
      cast(substr(fields, nullif(instr(fields, '"orig_cpu":'), 0) + 11) AS INTEGER) AS from_cpu,
      cast(substr(fields, nullif(instr(fields, '"dest_cpu":'), 0) + 11) AS INTEGER) AS to_cpu
    FROM tracepoints
    WHERE name = 'sched:sched_migrate_task' AND fields IS NOT NULL
  ),
  decided AS ( -- of threads that had this number one after the other, the one of that time
    SELECT m.*, t.id AS thread_id, max(coalesce(t.start_ns, -1)) AS latest
    FROM told AS m
    LEFT JOIN threads AS t
      ON t.tid = m.tid AND coalesce(t.start_ns, m.time) <= m.time AND coalesce(t.end_ns, m.time) >= m.time
    GROUP BY m.id
  ),
  moves AS (
    SELECT source, thread_id, NULL AS tid, before_ns AS left_ns, time, before_cpu AS from_cpu, cpu AS to_cpu FROM steps WHERE before_cpu <> cpu
    UNION ALL
    SELECT 'migrate', thread_id, tid, NULL, time, from_cpu, to_cpu FROM decided
  )
SELECT
  m.source AS source,       -- who tells: "switch", "sample", "migrate"
  m.thread_id AS thread_id, -- threads.id; NULL: not of the run
  coalesce(m.tid, t.tid) AS tid, -- its kernel number
  t.comm AS comm,           -- the thread's name
  m.left_ns AS left_ns,     -- when it was last seen on from_cpu, ns; migrate: NULL
  m.time AS time,           -- when it was seen on to_cpu, ns; migrate: when it was moved
  m.from_cpu AS from_cpu,   -- where it was before
  m.to_cpu AS to_cpu,       -- where it was then
  a.node_id AS from_node_id, -- node of from_cpu; NULL: not known
  b.node_id AS to_node_id,  -- node of to_cpu; NULL: not known
  a.node_id <> b.node_id AS crosses -- 1: to another node, 0: not; NULL: not known
FROM moves AS m
LEFT JOIN threads AS t ON t.id = m.thread_id
LEFT JOIN cpus AS a ON a.id = m.from_cpu
LEFT JOIN cpus AS b ON b.id = m.to_cpu;
