-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW object_faults AS
-- view:    object_faults
-- summary: Page faults of each object: how many, what they cost, and how often the same memory was placed again.
-- grain:   one row per object with a page fault or with time in one, and one for what has no object
-- note:    fault_time is the time of samples in the kernel's handler of page faults (timer, cycles), without perf's own time to
--          record the fault. object_costs has none of it: a page fault is no access
WITH
  placed AS (
    SELECT
      c.object_id AS object_id, sum(c.samples) AS faults, sum(iif(k.first, c.samples, 0)) AS pages,
      sum(iif(k.first, c.samples * coalesce(k.page_bytes, r.page_bytes), 0)) AS bytes, r.page_bytes AS page_bytes
    FROM fault_cells AS c
    CROSS JOIN runs AS r
    JOIN access_kinds AS k ON k.id = c.kind_id
    GROUP BY c.object_id
  ),
  spent AS (
    SELECT c.object_id AS object_id, sum(c.samples) AS samples, sum(c.period) AS period
    FROM kind_totals AS c
    JOIN access_kinds AS k ON k.id = c.kind_id
    JOIN kind_measures AS m ON m.id = c.kind_id
    WHERE c.scope = 'object' AND k.addr_source = 5 AND m.timed
    GROUP BY c.object_id
  ),
  ids AS (
    SELECT object_id FROM placed UNION SELECT object_id FROM spent
  ),
  part AS ( -- a block has parts of two pages at its ends
    SELECT
      i.object_id AS object_id, coalesce(p.faults, 0) AS faults, coalesce(p.pages, 0) AS pages, coalesce(p.bytes, 0) AS bytes,
      coalesce(s.samples, 0) AS samples, coalesce(s.period, 0) AS period,
      iif(o.size_bytes > 0, 1.0 * p.bytes / (o.size_bytes + p.page_bytes * iif(o.kind = 'heap', min(o.allocations, o.size_bytes / p.page_bytes + 1), 1)), NULL) AS times
    FROM ids AS i
    LEFT JOIN placed AS p ON p.object_id IS i.object_id
    LEFT JOIN spent AS s ON s.object_id IS i.object_id
    LEFT JOIN objects AS o ON o.id = i.object_id
  )
SELECT
  p.object_id AS object_id,      -- objects.id; NULL: no object is known at the address
  coalesce(o.name, '[no object]') AS object, -- its name
  o.kind AS kind,                -- "heap", "static", "stack", "mapping"
  o.size_bytes AS size_bytes,    -- its size; heap: the largest sum of its blocks alive at one time
  p.faults AS faults,            -- page faults (count)
  p.pages AS pages,              -- of these, first touches: each placed a page (count)
  p.bytes AS bytes,              -- sum of the sizes of these pages, bytes
  round(max(1, p.times), 1) AS times, -- how often its memory was placed, at least: 1 once, 40: given back to the kernel and placed again 39 times; NULL: no page fault, or of unknown size
  p.samples AS samples,          -- samples in the kernel's handler of page faults (count)
  nullif(p.period, 0) AS fault_time, -- what they stand for: thread time, ns (timer), or core cycles (cycles); NULL: none was seen
  100.0 * p.period / nullif(r.thread_time, 0) AS fault_time_pct, -- share of the run's thread time, 0-100; NULL: not measured
  share_low(p.period, r.thread_time, r.thread_time_sq) AS fault_time_low_pct, -- lower end of its 95 % interval
  share_high(p.period, r.thread_time, r.thread_time_sq) AS fault_time_high_pct -- upper end
FROM part AS p
LEFT JOIN totals AS r ON r.scope = 'run'
LEFT JOIN objects AS o ON o.id = p.object_id;
