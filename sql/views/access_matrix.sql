-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW access_matrix AS
-- view:    access_matrix
-- summary: Samples by node of the CPU (i) and node of the accessed page (j): r_ij.
-- grain:   one row for each combination of scope ("run", "line", "object", "thread"), member of the scope, CPU node and home node that has a
--          sample. A node may be NULL (not known)
-- source:  r_ij of Machado, Tadonki & Senger 2023; requests per node (Liu & Mellor-Crummey 2014, 4.1) are the sums by home_node_id, as
--          the query access_matrix by=home computes them
-- note:    a timer samples time, so accesses for which threads wait are sampled more often than other accesses
WITH
  part AS (
    SELECT
      c.scope AS scope, c.instruction_id AS instruction_id, c.object_id AS object_id, c.thread_id AS thread_id,
      k.cpu_node_id AS cpu_node_id, k.home_node_id AS home_node_id, sum(c.samples) AS samples, sum(c.period) AS estimate,
      sum(c.period_sq) AS estimate_sq
    FROM kind_totals AS c
    CROSS JOIN kind_measures AS m ON m.id = c.kind_id
    CROSS JOIN access_kinds AS k ON k.id = c.kind_id
    WHERE m.addressed AND (c.scope IN ('run', 'line', 'thread') OR (c.scope = 'object' AND c.object_id IS NOT NULL))
    GROUP BY 1, 2, 3, 4, 5, 6
  ),
  share AS (
    SELECT
      *,
      sum(estimate) OVER w AS n, sum(estimate_sq) OVER w AS sq, sum(iif(cpu_node_id IS NOT NULL AND home_node_id IS NOT NULL, estimate, 0)) OVER w AS known,
      cpu_node_id IS NOT NULL AND home_node_id IS NOT NULL AS knows
    FROM part
    WINDOW w AS (PARTITION BY scope, instruction_id, object_id, thread_id)
  )
SELECT
  w.scope AS scope,                   -- what the row is about: "run", "line", "object" or "thread"; select one scope, because the rows of each scope cover all samples
  w.instruction_id AS instruction_id, -- for scope "line": instructions.id of the line's first instruction
  w.object_id AS object_id,           -- for scope "object": objects.id
  w.thread_id AS thread_id,           -- for scope "thread": threads.id; NULL: not known
  w.cpu_node_id AS cpu_node_id,       -- i: node of the CPU; NULL: not known
  w.home_node_id AS home_node_id,     -- j: node of the page; NULL: not known
  d.distance AS distance,             -- d_ij: the kernel's distance between the two nodes; within a node it is 10; NULL: not known
  w.samples AS samples,               -- r_ij: number of samples
  w.estimate AS estimate,             -- what these samples represent (sum of their periods): a number of accesses (hardware samplers), or ns (timer)
  w.estimate_sq AS estimate_sq,       -- sum of the squares of the periods, for intervals: the effective sample size of rows that are added up is (Σ estimate)² / Σ estimate_sq
  iif(w.knows, 100.0 * w.estimate / w.known, NULL) AS share_pct, -- share of what the samples with two known nodes represent, 0-100; NULL: a node of this row is not known
  iif(w.knows, share_low(w.estimate, w.n, w.sq), NULL) AS share_low_pct, -- lower bound of the share of all samples: samples with an unknown node do not count in this row; lower end of the 95 % interval
  iif(w.knows, share_high((w.estimate + w.n - w.known), w.n, w.sq), NULL) AS share_high_pct, -- upper bound of the share of all samples: all samples with an unknown node count in this row; upper end of the 95 % interval
  100.0 * w.known / w.n AS home_pct   -- coverage of share_pct: share of the samples whose two nodes are known, 0-100
FROM share AS w
LEFT JOIN node_distances AS d ON d.from_node_id = w.cpu_node_id AND d.to_node_id = w.home_node_id;
