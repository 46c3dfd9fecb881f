-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW allocation_costs AS
-- view:    allocation_costs
-- summary: Cost of memory by heap block.
-- grain:   one row per heap block with a sample, plus one row per heap object for samples whose block is not known
-- source:  Helm & Taura 2017, listing 3
WITH
  run AS MATERIALIZED run_totals(),
  part AS ( -- sums by block. Accesses that memdb expects to hit the first-level cache cost nothing. Samples in page faults are left out, because they are not accesses
    SELECT
      c.allocation_id AS id, sum(iif(has_counts(), c.period, c.samples)) AS addressed, sum(c.period) AS estimate, sum(c.samples * k.waits) AS waits, sum(c.weighted * k.measured) AS measured,
      sum(iif(k.measured, c.latency, 0)) AS latency, sum(iif(k.measured, c.weighted_period, 0)) AS measured_estimate,
      sum(CASE iif(k.lost_waits, NULL, k.cost) WHEN 'latency' THEN c.latency WHEN 'period' THEN c.period ELSE 0 END) AS cost
    FROM allocation_cells AS c
    JOIN kind_measures AS k ON k.id = c.kind_id AND k.addressed
    GROUP BY c.allocation_id
  ),
  blocks AS (
    SELECT a.object_id AS object_id, p.* FROM part AS p LEFT JOIN allocations AS a ON a.id = p.id
    UNION ALL -- a row for the object's samples whose block is not known: all samples of the object minus the samples of its blocks
    SELECT
      t.object_id, NULL, t.addressed - coalesce(sum(p.addressed), 0), t.estimate - coalesce(sum(p.estimate), 0), t.waits - coalesce(sum(p.waits), 0), 0, 0, 0, t.cost - total(p.cost)
    FROM totals AS t
    JOIN objects AS o ON o.id = t.object_id AND o.kind = 'heap'
    LEFT JOIN allocations AS a ON a.object_id = t.object_id AND a.id IN (SELECT id FROM part)
    LEFT JOIN part AS p ON p.id = a.id
    WHERE t.scope = 'object'
    GROUP BY t.object_id
    HAVING t.addressed > coalesce(sum(p.addressed), 0)
  )
SELECT
  p.id AS allocation_id,              -- allocations.id; NULL: the block is not known
  p.object_id AS object_id,           -- objects.id
  o.name AS object,                   -- objects.name, such as the name of the variable
  o.kind AS kind,                     -- kind of the object, always "heap"
  f.name AS allocator,                -- the allocating function, such as "malloc"
  a.address_start AS address_start,   -- address of the first byte
  a.address_end AS address_end,       -- address after the last byte
  a.size_bytes AS size_bytes,         -- requested size, bytes
  h.tid AS tid,                       -- the kernel's number of the allocating thread
  a.end_time - a.time AS life_ns,     -- time from allocation to deallocation, ns; NULL: the block lived to the end of the recording
  p.addressed AS addressed,           -- number of samples whose access is to the block
  p.waits AS waits,                   -- number of samples in which the thread waited for an access to the block; only samples of time (timer, cycle counter) show waits
  iif(r.cost + r.lost_cost > 0, p.cost, NULL) AS cost, -- cost of accesses to the block, in run_costs.cost_unit; NULL: not measured
  100.0 * p.cost / nullif(r.cost + r.lost_cost, 0) AS cost_pct, -- share of the run's cost of memory, 0-100; NULL: no cost was measured
  share_low(p.cost, (r.cost + r.lost_cost), r.cost_sq) AS cost_low_pct, -- lower end of the 95 % interval of cost_pct
  share_high(p.cost, (r.cost + r.lost_cost), r.cost_sq) AS cost_high_pct, -- upper end of the 95 % interval of cost_pct
  p.estimate AS estimate,             -- what the addressed samples represent (sum of their periods): accesses (hardware samplers), ns (timer) or cycles (cycle counter)
  iif(r.thread_time = 0, 100.0 * p.estimate / nullif(r.estimate, 0), NULL) AS access_pct, -- share of the run's accesses, 0-100; NULL: the samples measure time and do not count accesses
  iif(r.thread_time = 0, share_low(p.estimate, r.estimate, r.estimate_sq), NULL) AS access_low_pct, -- lower end of the 95 % interval of access_pct
  iif(r.thread_time = 0, share_high(p.estimate, r.estimate, r.estimate_sq), NULL) AS access_high_pct, -- upper end of the 95 % interval of access_pct
  p.measured AS measured,             -- number of samples with a latency, which only hardware samplers measure
  p.latency / nullif(p.measured_estimate, 0) AS latency_avg -- mean latency of the samples that `measured` counts, core cycles; NULL: there are no such samples
FROM blocks AS p
CROSS JOIN run AS r
LEFT JOIN allocations AS a ON a.id = p.id
LEFT JOIN objects AS o ON o.id = p.object_id
LEFT JOIN allocation_functions AS f ON f.id = a.function
LEFT JOIN threads AS h ON h.id = a.thread_id;
