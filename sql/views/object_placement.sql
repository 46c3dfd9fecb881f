-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW object_placement AS
-- view:    object_placement
-- summary: Were an object's pages placed by it or by what malloc had there before; its first access.
-- grain:   one row per object with a sample or a page fault
-- note:    a sampler sees some accesses only: the first one that is known. Where pages were used before, who placed
--          them is no row of first_touches for this object
WITH
  touched AS (
    SELECT c.object_id AS object_id, sum(c.samples) AS pages, sum(c.samples * coalesce(k.page_bytes, r.page_bytes)) AS bytes
    FROM fault_cells AS c
    CROSS JOIN runs AS r
    JOIN access_kinds AS k ON k.id = c.kind_id
    WHERE k.first = 1 AND c.object_id IS NOT NULL
    GROUP BY 1
  ),
  used AS (
    SELECT
      c.object_id AS object_id, sum(c.samples) AS samples, sum(c.period) AS n, sum(c.period_sq) AS sq,
      sum(iif(k.reused = 1, c.samples, 0)) AS reused, sum(iif(k.reused = 1, c.period, 0)) AS reused_n
    FROM kind_totals AS c
    CROSS JOIN access_kinds AS k ON k.id = c.kind_id
    WHERE c.scope = 'object' AND k.reused IS NOT NULL AND c.object_id IS NOT NULL
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
  a.object_id AS object_id,       -- objects.id
  a.object AS object,             -- the object's name
  iif(a.by_fault, a.fault_time, a.sample_time) AS time, -- of the first access, ns
  iif(a.by_fault, 'fault', 'sample') AS source, -- "fault" (its page was not there before) or "sample"
  t.id AS thread_id,              -- threads.id; NULL: not known
  t.tid AS tid,                   -- the kernel's thread number
  t.comm AS comm,                 -- the thread's name
  c.node_id AS cpu_node_id,       -- node of the CPU; NULL: not known
  l.id AS location_id,            -- locations.id of the accessing code; "fault": or of the program's call that led there
  coalesce(p.function, '[unknown]') AS function, -- its innermost function that is not of a standard library; [file] where there is no symbol
  p.file AS file,                 -- source file; NULL: not known
  p.line AS line,                 -- source line; NULL: not known
  coalesce(y.name, iif(l.own_depth > 0, l.function, NULL)) AS inside, -- what that called and what made the access, as "memset", "read", "std::…"; NULL: it made it itself
  coalesce(x.pages, 0) AS pages,  -- pages that were first touched as part of this object (count)
  coalesce(x.bytes, 0) AS bytes,  -- sum of their sizes, bytes
  coalesce(u.samples, 0) AS samples, -- samples of the object of whose page it is known when it was placed (count)
  coalesce(u.reused, 0) AS reused, -- of these, on pages that were placed before their block was born (count)
  100.0 * u.reused_n / u.n AS reused_pct, -- their share, 0-100; NULL: no sample whose page is known
  share_low(u.reused_n, u.n, u.sq) AS reused_low_pct, -- lower end of its 95 % interval
  share_high(u.reused_n, u.n, u.sq) AS reused_high_pct -- upper end
FROM accessed AS a
LEFT JOIN threads AS t ON t.id = iif(a.by_fault, a.fault_thread_id, a.sample_thread_id)
LEFT JOIN cpus AS c ON c.id = iif(a.by_fault, a.fault_cpu, a.sample_cpu)
LEFT JOIN instructions AS i ON i.id = iif(a.by_fault, a.fault_instruction_id, a.sample_instruction_id)
LEFT JOIN locations AS l ON l.id = coalesce(i.caller_id, i.location_id)
LEFT JOIN location_frames AS p ON p.location_id = l.id AND p.depth = coalesce(l.own_depth, 0)
LEFT JOIN symbols AS y ON y.id = i.called_id
LEFT JOIN touched AS x ON x.object_id = a.object_id
LEFT JOIN used AS u ON u.object_id = a.object_id;
