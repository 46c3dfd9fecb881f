-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   hints
-- summary: Suggested changes for objects, with their evidence: place the object elsewhere, separate the data of threads, reuse memory, swap loops, use huge pages, separate cold members.
-- param:   top 20 rows at most
-- param:   object - only this object: its id or name
-- column:  object_id objects.id
-- column:  object    name of the object
-- column:  cost_pct  cost of the object as a share of the run's cost, 0-100; empty: not measured
-- column:  priority  of several hints for an object, try the one with the lowest number first
-- column:  hint      the suggested change: "bind to CPUs", "move", "spread", "pad", "copies", "reuse", "swap", "huge pages" or "split"
-- column:  samples   number of samples that support the hint
-- column:  evidence  the evidence, a sentence
-- column:  advice    the advice, a sentence
SELECT
  h.object_id AS object_id,
  h.object AS object,
  round(100.0 * t.cost / nullif(r.cost + r.lost_cost, 0), 1) AS cost_pct,
  h.priority AS priority,
  h.hint AS hint,
  h.samples AS samples,
  h.evidence AS evidence,
  h.advice AS advice
FROM object_hints AS h
LEFT JOIN totals AS r ON r.scope = 'run'
LEFT JOIN totals AS t ON t.scope = 'object' AND t.object_id = h.object_id
WHERE :object IS NULL OR h.object_id = :object OR h.object = :object
ORDER BY t.cost DESC, h.object_id, h.priority
LIMIT coalesce(:top, 20);
