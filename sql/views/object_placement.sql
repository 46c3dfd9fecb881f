-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    object_placement
-- summary: Were an object's pages placed by it or by what malloc had there before; its first access.
-- grain:   one row per object with a sample or a page fault
-- note:    a sampler sees some accesses only: the first one that is known. Where pages were used before, who placed
--          them is no row of object_first_touch for this object
-- column:  object_id       INTEGER  objects.id
-- column:  object          TEXT     the object's name
-- column:  time            INTEGER  when, ns
-- column:  source          TEXT     "fault" (its page was not there before) or "sample"
-- column:  thread_id       INTEGER  threads.id; NULL: not known
-- column:  tid             INTEGER  the kernel's thread number
-- column:  comm            TEXT     the thread's name
-- column:  cpu_node_id     INTEGER  node of the CPU; NULL: not known
-- column:  location_id     INTEGER  locations.id of the accessing code; "fault": or of the program's call that led there
-- column:  function        TEXT     its innermost function that is not of a standard library; [file] where there is no symbol
-- column:  file            TEXT     source file; NULL: not known
-- column:  line            INTEGER  source line; NULL: not known
-- column:  inside          TEXT     what that called and what made the access, as "memset", "read", "std::…"; NULL: it made it itself
-- column:  touches         INTEGER  pages that were first touched as part of this object (count)
-- column:  samples         INTEGER  samples of the object of whose page it is known when it was placed (count)
-- column:  reused          INTEGER  of these, on pages that were placed before their block was born (count)
-- column:  reused_pct      REAL     reused in samples, 0-100; NULL: no sample whose page is known
-- column:  reused_low_pct  REAL     lower end of its 95 % Wilson interval
-- column:  reused_high_pct REAL     upper end
CREATE VIEW object_placement AS
WITH
  touched AS (
    SELECT c.object_id AS object_id, sum(c.samples) AS touches
    FROM fault_cells AS c
    JOIN access_kinds AS k ON k.id = c.kind_id
    WHERE k.first = 1 AND c.object_id IS NOT NULL
    GROUP BY 1
  ),
  used AS (
    SELECT
      c.object_id AS object_id, sum(c.samples) AS samples,
      sum(CASE WHEN k.reused = 1 THEN c.samples ELSE 0 END) AS reused
    FROM thing_cells AS c
    CROSS JOIN access_kinds AS k ON k.id = c.kind_id
    WHERE c.of = 'object' AND k.reused IS NOT NULL AND c.object_id IS NOT NULL
    GROUP BY 1
  ),
  accessed AS (
    SELECT
      o.id AS object_id, o.name AS object,
      f.id IS NOT NULL AND (s.id IS NULL OR f.time <= s.time) AS by_fault,
      s.time AS sample_time, s.thread_id AS sample_thread_id, s.cpu AS sample_cpu,
      s.instruction_id AS sample_instruction_id,
      f.time AS fault_time, f.thread_id AS fault_thread_id, f.cpu AS fault_cpu,
      f.instruction_id AS fault_instruction_id
    FROM objects AS o
    LEFT JOIN sample_data AS s ON s.id = o.first_sample_id
    LEFT JOIN fault_data AS f ON f.id = o.first_fault_id
    WHERE s.id IS NOT NULL OR f.id IS NOT NULL
  )
SELECT
  a.object_id AS object_id,
  a.object AS object,
  iif(a.by_fault, a.fault_time, a.sample_time) AS time,
  iif(a.by_fault, 'fault', 'sample') AS source,
  t.id AS thread_id,
  t.tid AS tid,
  t.comm AS comm,
  c.node_id AS cpu_node_id,
  l.id AS location_id,
  coalesce(p.function, '[unknown]') AS function,
  p.file AS file,
  p.line AS line,
  coalesce(y.name, iif(l.own_depth > 0, l.function, NULL)) AS inside,
  coalesce(x.touches, 0) AS touches,
  coalesce(u.samples, 0) AS samples,
  coalesce(u.reused, 0) AS reused,
  100.0 * u.reused / u.samples AS reused_pct,
  wilson_low(u.reused, u.samples) AS reused_low_pct,
  wilson_high(u.reused, u.samples) AS reused_high_pct
FROM accessed AS a
LEFT JOIN threads AS t ON t.id = iif(a.by_fault, a.fault_thread_id, a.sample_thread_id)
LEFT JOIN cpus AS c ON c.id = iif(a.by_fault, a.fault_cpu, a.sample_cpu)
LEFT JOIN instructions AS i ON i.id = iif(a.by_fault, a.fault_instruction_id, a.sample_instruction_id)
LEFT JOIN locations AS l ON l.id = coalesce(i.caller_id, i.location_id)
LEFT JOIN location_frames AS p ON p.location_id = l.id AND p.depth = coalesce(l.own_depth, 0)
LEFT JOIN symbols AS y ON y.id = i.called_id
LEFT JOIN touched AS x ON x.object_id = a.object_id
LEFT JOIN used AS u ON u.object_id = a.object_id;
