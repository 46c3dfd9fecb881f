-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW page_migrations AS
-- view:    page_migrations
-- summary: Pages that the kernel moved, and why.
-- grain:   one row per recorded migrate:mm_migrate_pages, which is a batch of pages
-- note:    a recording of one program has what its own threads made the kernel move; other kernel threads move too.
--          Names of mode and reason are those of Linux 6.18, where a number stands for what it always did; before
--          5.15 some kernels had no longterm_pin and no demotion, older ones say 6 for cma
WITH
  modes (mode, name) AS (VALUES (0, 'async'), (1, 'sync_light'), (2, 'sync')),
  reasons (reason, name) AS (
    VALUES (0, 'compaction'), (1, 'memory_failure'), (2, 'memory_hotplug'), (3, 'syscall_or_cpuset'),
      (4, 'mempolicy_mbind'), (5, 'numa_misplaced'), (6, 'contig_range'), (7, 'longterm_pin'), (8, 'demotion'),
      (9, 'damon')
  ),
  -- SQLite lets no view of an untrusted database use its JSON functions; a number behind its key needs none
  told AS (
    SELECT
      id, time, thread_id, cpu, call_path_id,
      cast(substr(fields, nullif(instr(fields, '"succeeded":'), 0) + 12) AS INTEGER) AS pages,
      cast(substr(fields, nullif(instr(fields, '"failed":'), 0) + 9) AS INTEGER) AS failed,
      cast(substr(fields, nullif(instr(fields, '"thp_succeeded":'), 0) + 16) AS INTEGER) AS huge_pages,
      cast(substr(fields, nullif(instr(fields, '"mode":'), 0) + 7) AS INTEGER) AS mode,
      cast(substr(fields, nullif(instr(fields, '"reason":'), 0) + 9) AS INTEGER) AS reason
    FROM tracepoints
    WHERE name = 'migrate:mm_migrate_pages' AND fields IS NOT NULL
  )
SELECT
  p.id AS id, -- tracepoints.id
  p.time AS time, -- when, ns
  p.thread_id AS thread_id, -- threads.id of the thread in which it happened; NULL: not of the run
  t.tid AS tid, -- its kernel number
  t.comm AS comm, -- the thread's name
  c.node_id AS cpu_node_id, -- node of the CPU on which it ran; NULL: not known
  p.pages AS pages, -- pages that were moved (count)
  p.failed AS failed, -- pages that were not (count)
  p.huge_pages AS huge_pages, -- huge pages that were moved (count); NULL: the kernel does not tell
  coalesce(m.name, cast(p.mode AS TEXT)) AS mode, -- "async", "sync_light", "sync"; its number where it has no name here
  coalesce(r.name, cast(p.reason AS TEXT)) AS reason, -- "mempolicy_mbind", "numa_misplaced", …; its number where it has no name here
  p.call_path_id AS call_path_id -- call_paths.id; NULL: not recorded
FROM told AS p
LEFT JOIN threads AS t ON t.id = p.thread_id
LEFT JOIN cpus AS c ON c.id = p.cpu
LEFT JOIN modes AS m ON m.mode = p.mode
LEFT JOIN reasons AS r ON r.reason = p.reason;
