-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW object_placement AS
-- view:    object_placement
-- summary: How the pages of each object were placed: page faults, their time, how often memory was placed, and reuse of memory by malloc.
-- grain:   one row per object with a sample or a page fault, plus one row for page faults without an object
-- note:    fault_time is the time of samples in the kernel's handler of page faults (timer, cycles), without perf's own time to
--          record the fault. object_costs does not contain it, because a page fault is not an access
-- note:    the columns from `time` to `inside` describe the first known access, which is not always the first one, because a sampler sees only some
--          accesses. If malloc reuses pages, their first touch belongs to an earlier object, so first_touches has no row for this object
WITH
  placed AS (
    SELECT
      c.object_id AS object_id, sum(c.samples) AS faults, sum(iif(k.first, c.samples, 0)) AS pages,
      sum(iif(k.first, c.samples * coalesce(k.page_bytes, r.page_bytes), 0)) AS bytes
    FROM fault_cells AS c
    CROSS JOIN runs AS r
    JOIN access_kinds AS k ON k.id = c.kind_id
    GROUP BY c.object_id
  ),
  sampled AS ( -- for each object, its samples in page faults, and its samples on pages whose time of placement is known
    SELECT
      c.object_id AS object_id, sum(iif(k.addr_source = 5 AND m.timed, c.samples, 0)) AS fault_samples, sum(iif(k.addr_source = 5 AND m.timed, c.period, 0)) AS fault_time,
      sum(iif(k.reused IS NULL, 0, c.samples)) AS samples, sum(iif(k.reused IS NULL, 0, c.period)) AS n, sum(iif(k.reused IS NULL, 0, c.period_sq)) AS sq,
      sum(iif(k.reused = 1, c.samples, 0)) AS reused, sum(iif(k.reused = 1, c.period, 0)) AS reused_n
    FROM kind_totals AS c
    JOIN access_kinds AS k ON k.id = c.kind_id
    JOIN kind_measures AS m ON m.id = c.kind_id
    WHERE c.scope = 'object' AND (k.reused IS NOT NULL OR (k.addr_source = 5 AND m.timed))
    GROUP BY c.object_id
  ),
  ids AS (
    SELECT object_id FROM placed UNION SELECT object_id FROM sampled WHERE object_id IS NOT NULL OR fault_samples > 0
    UNION SELECT id FROM objects WHERE first_sample_id IS NOT NULL OR first_fault_id IS NOT NULL
  ),
  part AS (
    SELECT
      i.object_id AS object_id, o.name AS object, o.kind AS kind, o.size_bytes AS size_bytes, p.faults AS faults, coalesce(p.pages, 0) AS pages,
      coalesce(p.bytes, 0) AS bytes, coalesce(u.fault_samples, 0) AS fault_samples, coalesce(u.fault_time, 0) AS fault_time,
      coalesce(u.samples, 0) AS samples, coalesce(u.reused, 0) AS reused, u.n AS n, u.sq AS sq, u.reused_n AS reused_n,
      -- times: bytes that page faults placed, divided by the size of the object. The size includes one more page for each block, because the block
      --        covers only a part of the pages at its two ends
      iif(o.size_bytes > 0, 1.0 * p.bytes / (o.size_bytes + r.page_bytes * iif(o.kind = 'heap', min(o.allocations, o.size_bytes / r.page_bytes + 1), 1)), NULL) AS times,
      s.id AS sample_id, f.id AS fault_id, coalesce(f.id IS NOT NULL AND (s.id IS NULL OR f.time <= s.time), 0) AS by_fault,
      coalesce(u.fault_samples, 0) > 0 OR NOT EXISTS (SELECT 1 FROM losses WHERE what = 'kernel mode') AS timed,
      s.time AS sample_time, s.thread_id AS sample_thread_id, s.cpu AS sample_cpu, s.instruction_id AS sample_instruction_id,
      f.time AS fault_at, f.thread_id AS fault_thread_id, f.cpu AS fault_cpu, f.instruction_id AS fault_instruction_id
    FROM ids AS i
    LEFT JOIN placed AS p ON p.object_id IS i.object_id
    LEFT JOIN sampled AS u ON u.object_id IS i.object_id
    LEFT JOIN runs AS r ON r.id = 1
    LEFT JOIN objects AS o ON o.id = i.object_id
    LEFT JOIN sample_data AS s ON s.id = o.first_sample_id
    LEFT JOIN fault_data AS f ON f.id = o.first_fault_id
  )
SELECT
  p.object_id AS object_id,       -- objects.id; NULL: no object is known at the address
  coalesce(p.object, '[no object]') AS object, -- objects.name, such as the name of the variable
  p.kind AS kind,                 -- kind of the object: "heap", "static", "stack" or "mapping"
  p.size_bytes AS size_bytes,     -- size, bytes; of a heap object: the maximum number of bytes allocated at one time
  coalesce(p.faults, 0) AS faults, -- number of page faults in the object
  p.pages AS pages,               -- number of page faults that placed a page of the object (first touches)
  p.bytes AS bytes,               -- sum of the sizes of these pages, bytes
  round(max(1, p.times), 1) AS times, -- lower bound of how often the kernel placed the object's memory; 40: after the first time, the program returned the memory and the kernel placed it again 39 times; NULL: no page fault, or the size is not known
  p.fault_samples AS fault_samples, -- number of samples in the kernel's handler of page faults, for pages of the object
  nullif(p.fault_time, 0) AS fault_time, -- sum of the periods of fault_samples: time in page faults, in ns (timer) or core cycles (cycle counter); NULL: no such sample
  iif(p.timed, 100.0 * p.fault_time / nullif(r.thread_time, 0), NULL) AS fault_time_pct, -- share of the run's thread time, 0-100; NULL: not measured, or the kernel was not sampled
  iif(p.timed, share_low(p.fault_time, r.thread_time, r.thread_time_sq), NULL) AS fault_time_low_pct, -- lower end of the 95 % interval of fault_time_pct
  iif(p.timed, share_high(p.fault_time, r.thread_time, r.thread_time_sq), NULL) AS fault_time_high_pct, -- upper end of the 95 % interval of fault_time_pct
  iif(p.by_fault, p.fault_at, p.sample_time) AS time, -- time of the first known access, ns; NULL: not known
  CASE WHEN p.by_fault THEN 'fault' WHEN p.sample_id IS NOT NULL THEN 'sample' END AS source, -- kind of the first known access: "fault" (its page was not present) or "sample" (no page fault was recorded before)
  t.id AS thread_id,              -- threads.id of the accessing thread; NULL: not known
  t.tid AS tid,                   -- the kernel's thread number
  t.comm AS comm,                 -- the thread's name
  c.node_id AS cpu_node_id,       -- node of the CPU; NULL: not known
  l.id AS location_id,            -- locations.id of the accessing code; for a fault in a library or the kernel: of the program's call that led to the fault
  iif(i.id IS NULL, NULL, iif(l.id IS NULL, '[unknown]', code_name(coalesce(l.function, z.name), d.short_name))) AS function, -- innermost function at location_id outside the standard libraries; [file] if there is no symbol
  w.path AS file, -- source file; NULL: not known
  l.line AS line, -- source line; NULL: not known
  coalesce(y.name, inlined_library(l)) AS inside, -- library function called there that made the access, such as "memset", "read", "std::…"; NULL: the code itself made the access
  p.samples AS samples,           -- number of samples of the object on pages whose time of placement is known
  p.reused AS reused,             -- number of these samples whose page was placed before the block was allocated
  100.0 * p.reused_n / nullif(p.n, 0) AS reused_pct, -- `reused` as a share of `samples`, by the sums of their periods, 0-100; NULL: `samples` is 0
  share_low(p.reused_n, p.n, p.sq) AS reused_low_pct, -- lower end of the 95 % interval of reused_pct
  share_high(p.reused_n, p.n, p.sq) AS reused_high_pct -- upper end of the 95 % interval of reused_pct
FROM part AS p
LEFT JOIN totals AS r ON r.scope = 'run'
LEFT JOIN threads AS t ON t.id = iif(p.by_fault, p.fault_thread_id, p.sample_thread_id)
LEFT JOIN cpus AS c ON c.id = iif(p.by_fault, p.fault_cpu, p.sample_cpu)
LEFT JOIN instructions AS i ON i.id = iif(p.by_fault, p.fault_instruction_id, p.sample_instruction_id)
LEFT JOIN locations AS l ON l.id = iif(i.called_id IS NULL, i.location_id, i.caller_id)
LEFT JOIN symbols AS z ON z.id = l.symbol_id
LEFT JOIN dsos AS d ON d.id = l.dso_id
LEFT JOIN files AS w ON w.id = l.file_id
LEFT JOIN symbols AS y ON y.id = i.called_id;
