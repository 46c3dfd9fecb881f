-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW moves AS
-- view:    moves
-- summary: What moved: threads to other CPUs, the CPUs that they may run on, pages to other nodes.
-- grain:   one row per move and kind; three kinds see threads on other CPUs, ask for one of them: "switch" where there are any, else "sample"
-- source:  affinity: Valat & Bouizi 2018, 5.1: the log of thread binding
-- note:    switch: sched:sched_switch, each time that a thread left a CPU. sample: samples in a row, for which no tracepoint is
--          needed (of more than 131,072, every n-th); a thread that came back between two of them is not seen to have moved. migrate:
--          sched:sched_migrate_task, the scheduler's own word; a recording of one program has only those that its own threads made
-- note:    affinity: a thread was allowed on other CPUs; the first row of a thread is what it began with. A change that nobody called
--          for in the program is seen by the follower some time after it was made
-- note:    pages: migrate:mm_migrate_pages, a batch of pages. A recording of one program has what its own threads made the kernel
--          move; other kernel threads move too. Names of mode and reason are those of Linux 6.18, where a number stands for what it
--          always did; before 5.15 some kernels had no longterm_pin and no demotion, older ones say 6 for cma
WITH RECURSIVE
  drawn (id, step, last) AS ( -- every n-th sample, n being the least that leaves 131,072
    SELECT 1, (n + 131071) / 131072, n
    FROM (SELECT (SELECT max(id) FROM sample_data) AS n) -- a seek; in the FROM clause max() scans
    WHERE n > 0
    UNION ALL
    SELECT id + step, step, last FROM drawn WHERE id + step <= last
  ),
  seen AS (
    SELECT 'switch' AS kind, time, thread_id, cpu
    FROM tracepoints
    WHERE name = 'sched:sched_switch' AND thread_id IS NOT NULL AND cpu IS NOT NULL
    UNION ALL
    SELECT 'sample', s.time, s.thread_id, s.cpu
    FROM drawn AS d
    CROSS JOIN sample_data AS s ON s.id = d.id
    WHERE s.thread_id IS NOT NULL AND s.cpu IS NOT NULL
  ),
  steps AS (
    SELECT kind, time, thread_id, cpu, lag(cpu) OVER w AS before_cpu, lag(time) OVER w AS before_ns
    FROM seen
    WINDOW w AS (PARTITION BY kind, thread_id ORDER BY time)
  ),
  -- Views of an untrusted database may not use JSON functions; a number after its key needs none
  scheduled AS MATERIALIZED (
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
      s.kind AS kind, s.time AS time, s.before_ns AS left_ns, s.thread_id AS thread_id, NULL AS tid, s.before_cpu AS from_cpus, s.cpu AS to_cpus,
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
  m.kind AS kind,           -- "switch", "sample", "migrate": a thread on another CPU; "affinity": allowed on others; "pages": moved by the kernel
  m.time AS time,           -- when it was seen there, ns; migrate, pages: when it was moved; affinity: from then on, NULL: from the start
  (m.time - r.start_ns) / 1e9 AS time_s, -- the same, seconds since the start of the recording
  m.left_ns AS left_ns,     -- switch, sample: when it was last seen on from_cpus, ns
  m.thread_id AS thread_id, -- threads.id; pages: of the thread in which it happened; NULL: not of the run
  coalesce(m.tid, t.tid) AS tid, -- its kernel number
  t.comm AS comm,           -- the thread's name
  m.from_cpus AS from_cpus, -- the CPU before; affinity: the CPUs in list format, as "0-3,8"; NULL: not known
  m.to_cpus AS to_cpus,     -- the CPU, or the CPUs, then
  m.from_node_id AS from_node_id, -- their only node; NULL: they span nodes, or it is not known
  m.to_node_id AS to_node_id, -- the same of to_cpus
  m.from_node_id <> m.to_node_id AS crosses, -- 1: to another node, 0: not; NULL: not known
  CASE
    WHEN m.kind <> 'affinity' THEN NULL
    WHEN m.to_node_id IS NOT NULL THEN 1
    WHEN m.to_cpus IS NOT NULL AND EXISTS (SELECT 1 FROM cpus) AND NOT EXISTS (SELECT 1 FROM cpus WHERE node_id IS NULL) THEN 0
  END AS pinned,            -- affinity: 1: the thread cannot leave its node, 0: it can; NULL: not known
  m.reason AS reason,       -- affinity: who says so, "follower" or the function that was called; pages: "mempolicy_mbind", "numa_misplaced", …, its number where it has no name here
  m.mode AS mode,           -- pages: "async", "sync_light", "sync"; its number where it has no name here
  m.pages AS pages,         -- pages that were moved (count)
  m.failed AS failed,       -- pages that were not (count)
  m.huge_pages AS huge_pages, -- huge pages that were moved (count); NULL: the kernel does not report it
  m.cpu AS cpu,             -- pages: the CPU on which the kernel moved them; NULL: not recorded
  m.call_path_id AS call_path_id -- pages: call_paths.id; NULL: not recorded
FROM moved AS m
LEFT JOIN runs AS r ON r.id = 1
LEFT JOIN threads AS t ON t.id = m.thread_id;
