-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW moves AS
-- view:    moves
-- summary: Moves of threads to other CPUs, changes of thread affinity, and migrations of pages.
-- grain:   one row per move and kind. The kinds "thread" and "migrate" both show moves of threads, so select one of them
-- source:  affinity: Valat & Bouizi 2018, 5.1 (log of thread binding)
-- note:    kind "thread": two successive records of a thread are on different CPUs. Records are samples, page faults, stored allocations and
--          tracepoints. Only drawn_samples are compared, not all samples, and no samples at all if every access was counted. If there are more than
--          32,768 page faults or allocations, only every n-th of them is compared. A move is missed if the thread returns before its next record;
--          record --trace=sched adds a record each time a thread leaves a CPU
-- note:    kind "migrate": from the tracepoint sched:sched_migrate_task, the scheduler's decision to move a thread. A recording of one program
--          contains only the decisions that were made in its own threads
-- note:    kind "affinity": the CPUs on which a thread may run changed; the first row of a thread is its initial affinity. If the change came
--          from outside the program, the follower detects it some time later
-- note:    kind "pages": from the tracepoint migrate:mm_migrate_pages, an event for each batch of pages. A recording of one program has only the moves
--          that its own threads caused, although kernel threads may also move pages. The names of mode and reason are from Linux 6.18. Kernels before
--          5.15 may lack longterm_pin and demotion, and older kernels use 6 for cma
WITH RECURSIVE
  -- The ids of every n-th row of two large tables, with the smallest n that leaves at most 32,768 rows (step: n). SQLite
  -- evaluates max() in a scalar subquery by one look-up; in a FROM clause, it would read all rows
  sizes (source, last) AS (
    VALUES
      ('fault', (SELECT max(id) FROM fault_data)), ('allocation', (SELECT max(id) FROM allocations))
  ),
  drawn (source, id, step, last) AS (
    SELECT source, 1, (last + 32767) / 32768, last FROM sizes WHERE last > 0
    UNION ALL
    SELECT source, id + step, step, last FROM drawn WHERE id + step <= last
  ),
  seen (time, thread_id, cpu) AS (
    SELECT time, thread_id, cpu FROM tracepoints
    UNION ALL
    SELECT time, thread_id, cpu FROM drawn_samples WHERE NOT has_counts() -- a count has the time of its first access but the CPU of its last, so it shows no move
    UNION ALL
    SELECT f.time, f.thread_id, f.cpu FROM drawn AS d CROSS JOIN fault_data AS f ON f.id = d.id WHERE d.source = 'fault'
    UNION ALL
    SELECT a.time, a.thread_id, a.cpu FROM drawn AS d CROSS JOIN allocations AS a ON a.id = d.id WHERE d.source = 'allocation'
  ),
  steps AS (
    SELECT time, thread_id, cpu, lag(cpu) OVER w AS before_cpu, lag(time) OVER w AS before_ns
    FROM seen
    WHERE time IS NOT NULL AND thread_id IS NOT NULL AND cpu IS NOT NULL
    WINDOW w AS (PARTITION BY thread_id ORDER BY time, cpu)
  ),
  -- SQLite does not allow JSON functions in views of an untrusted database, so numbers are read from the text after their key
  scheduled AS MATERIALIZED (
    SELECT
      id, time,
      cast(substr(fields, nullif(instr(fields, '"pid":'), 0) + 6) AS INTEGER) AS tid,
      cast(substr(fields, nullif(instr(fields, '"orig_cpu":'), 0) + 11) AS INTEGER) AS from_cpu,
      cast(substr(fields, nullif(instr(fields, '"dest_cpu":'), 0) + 11) AS INTEGER) AS to_cpu
    FROM tracepoints
    WHERE name = 'sched:sched_migrate_task' AND fields IS NOT NULL
  ),
  decided AS ( -- if several threads had this tid one after another, selects the thread that was alive at that time
    SELECT m.*, t.id AS thread_id, max(coalesce(t.start_ns, -1)) AS latest
    FROM scheduled AS m
    LEFT JOIN threads AS t
      ON t.tid = m.tid AND coalesce(t.start_ns, m.time) <= m.time AND coalesce(t.end_ns, m.time) >= m.time
    GROUP BY m.id
  ),
  allowed AS (
    SELECT time, thread_id, cpus, node_id, source, lag(cpus) OVER w AS before_cpus, lag(node_id) OVER w AS before_node_id, row_number() OVER w AS place
    FROM thread_affinities
    WINDOW w AS (PARTITION BY thread_id ORDER BY time, id)
  ),
  batches AS (
    SELECT
      time, thread_id, cpu, call_path_id,
      cast(substr(fields, nullif(instr(fields, '"succeeded":'), 0) + 12) AS INTEGER) AS pages,
      cast(substr(fields, nullif(instr(fields, '"failed":'), 0) + 9) AS INTEGER) AS failed,
      cast(substr(fields, nullif(instr(fields, '"thp_succeeded":'), 0) + 16) AS INTEGER) AS huge_pages,
      cast(substr(fields, nullif(instr(fields, '"mode":'), 0) + 7) AS INTEGER) AS mode,
      cast(substr(fields, nullif(instr(fields, '"reason":'), 0) + 9) AS INTEGER) AS reason
    FROM tracepoints
    WHERE name = 'migrate:mm_migrate_pages' AND fields IS NOT NULL
  ),
  modes (mode, name) AS (VALUES (0, 'async'), (1, 'sync_light'), (2, 'sync')),
  reasons (reason, name) AS (
    VALUES (0, 'compaction'), (1, 'memory_failure'), (2, 'memory_hotplug'), (3, 'syscall_or_cpuset'),
      (4, 'mempolicy_mbind'), (5, 'numa_misplaced'), (6, 'contig_range'), (7, 'longterm_pin'), (8, 'demotion'),
      (9, 'damon')
  ),
  moved AS (
    SELECT
      'thread' AS kind, s.time AS time, s.before_ns AS left_ns, s.thread_id AS thread_id, NULL AS tid, s.before_cpu AS from_cpus, s.cpu AS to_cpus,
      a.node_id AS from_node_id, b.node_id AS to_node_id, NULL AS reason, NULL AS mode, NULL AS pages, NULL AS failed,
      NULL AS huge_pages, NULL AS cpu, NULL AS call_path_id
    FROM steps AS s
    LEFT JOIN cpus AS a ON a.id = s.before_cpu
    LEFT JOIN cpus AS b ON b.id = s.cpu
    WHERE s.before_cpu <> s.cpu
    UNION ALL
    SELECT 'migrate', d.time, NULL, d.thread_id, d.tid, d.from_cpu, d.to_cpu, a.node_id, b.node_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM decided AS d
    LEFT JOIN cpus AS a ON a.id = d.from_cpu
    LEFT JOIN cpus AS b ON b.id = d.to_cpu
    UNION ALL
    SELECT 'affinity', time, NULL, thread_id, NULL, before_cpus, cpus, before_node_id, node_id, source, NULL, NULL, NULL, NULL, NULL, NULL
    FROM allowed
    WHERE place = 1 OR cpus IS NOT before_cpus
    UNION ALL
    SELECT
      'pages', p.time, NULL, p.thread_id, NULL, NULL, NULL, NULL, NULL, coalesce(r.name, cast(p.reason AS TEXT)),
      coalesce(m.name, cast(p.mode AS TEXT)), p.pages, p.failed, p.huge_pages, p.cpu, p.call_path_id
    FROM batches AS p
    LEFT JOIN modes AS m ON m.mode = p.mode
    LEFT JOIN reasons AS r ON r.reason = p.reason
  )
SELECT
  m.kind AS kind,           -- "thread", "migrate": a thread moved to another CPU; "affinity": its allowed CPUs changed; "pages": the kernel moved pages
  m.time AS time,           -- time of the move, ns. For kind "thread": the first time at which the thread was seen on to_cpus. For "affinity": the affinity is valid from this time on; NULL: from the start
  (m.time - r.start_ns) / 1e9 AS time_s, -- time in seconds since the start of the recording
  m.left_ns AS left_ns,     -- for kind "thread": the last time at which the thread was seen on from_cpus, ns
  m.thread_id AS thread_id, -- threads.id of the thread that moved; for kind "pages": of the thread in which the kernel moved them; NULL: not a thread of the run
  coalesce(m.tid, t.tid) AS tid, -- the kernel's thread number
  t.comm AS comm,           -- the thread's name
  m.from_cpus AS from_cpus, -- the previous CPU; for kind "affinity": the previously allowed CPUs in list format, such as "0-3,8"; NULL: not known
  m.to_cpus AS to_cpus,     -- the new CPU; for kind "affinity": the CPUs that are allowed now
  m.from_node_id AS from_node_id, -- the only node of from_cpus; NULL: several nodes, or not known
  m.to_node_id AS to_node_id, -- the only node of to_cpus; NULL: several nodes, or not known
  m.from_node_id <> m.to_node_id AS crosses, -- 1: the move is to a different node, 0: within a node; NULL: not known
  CASE
    WHEN m.kind <> 'affinity' THEN NULL
    WHEN m.to_node_id IS NOT NULL THEN 1
    WHEN m.to_cpus IS NOT NULL AND EXISTS (SELECT 1 FROM cpus) AND NOT EXISTS (SELECT 1 FROM cpus WHERE node_id IS NULL) THEN 0
  END AS pinned,            -- for kind "affinity": 1: the thread cannot leave its node, 0: it can; NULL: not known
  m.reason AS reason,       -- for kind "affinity": source of the row: "follower", "thread start" or the called function. For kind "pages": why the kernel moved them: "mempolicy_mbind", "numa_misplaced", …, or the kernel's number of a reason without a name
  m.mode AS mode,           -- for kind "pages": "async", "sync_light", "sync", or the kernel's number of a mode without a name
  m.pages AS pages,         -- number of pages that were moved
  m.failed AS failed,       -- number of pages that the kernel failed to move
  m.huge_pages AS huge_pages, -- number of huge pages that were moved; NULL: the kernel does not report it
  m.cpu AS cpu,             -- for kind "pages": the CPU on which the kernel moved them; NULL: not recorded
  m.call_path_id AS call_path_id -- for kind "pages": call_paths.id of the call that moved them; NULL: not recorded
FROM moved AS m
LEFT JOIN runs AS r ON r.id = 1
LEFT JOIN threads AS t ON t.id = m.thread_id;
