-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW node_requests AS
-- view:    node_requests
-- summary: How much of the accesses goes to the memory of each node, and how unevenly.
-- grain:   one row per scope ("run", "object", "thread"), row of that scope with a known home, and node that was accessed
-- source:  Liu & Mellor-Crummey 2014, 4.1 (requests per NUMA domain); imbalance: max / mean over the nodes that have memory
-- note:    whatever cache served them; where a thread ran makes no difference here. With the timer these are samples of time
WITH
  part AS (
    SELECT
      c.scope AS scope, c.object_id AS object_id, c.thread_id AS thread_id, k.home_node_id AS node_id, sum(c.samples) AS samples,
      sum(c.period) AS estimate, sum(c.period_sq) AS estimate_sq
    FROM kind_totals AS c
    CROSS JOIN kind_measures AS m ON m.id = c.kind_id
    CROSS JOIN access_kinds AS k ON k.id = c.kind_id
    WHERE m.addressed AND (c.scope IN ('run', 'thread') OR (c.scope = 'object' AND c.object_id IS NOT NULL))
    GROUP BY 1, 2, 3, 4
  ),
  share AS (
    SELECT
      *,
      sum(estimate) OVER w AS n, sum(estimate_sq) OVER w AS sq, sum(iif(node_id IS NOT NULL, estimate, 0)) OVER w AS known,
      max(iif(node_id IS NOT NULL, estimate, 0)) OVER w AS most, sum(node_id IS NOT NULL) OVER w AS seen
    FROM part
    WINDOW w AS (PARTITION BY scope, object_id, thread_id)
  )
SELECT
  scope AS scope,         -- what the row is of: "run", "object", "thread"; ask for one
  object_id AS object_id, -- object: objects.id
  thread_id AS thread_id, -- thread: threads.id; NULL: not known
  node_id AS node_id,     -- home of the pages
  samples AS samples,     -- samples of that node's memory (count)
  estimate AS estimate,   -- what they stand for: accesses (hardware), ns (timer)
  100.0 * estimate / known AS share_pct, -- share of all whose home is known, 0-100
  share_low(estimate, n, sq) AS share_low_pct, -- least share of all: none of the unknown are in it, lower end of the 95 % interval
  share_high((estimate + n - known), n, sq) AS share_high_pct, -- largest: all of the unknown are, upper end
  1.0 * most * max(seen, (SELECT count(*) FROM nodes WHERE mem_total_bytes > 0)) / known AS imbalance, -- the busiest node by the mean of all nodes with memory; 1: even
  100.0 * known / n AS home_pct -- coverage: of all, those whose home is known, 0-100
FROM share
WHERE node_id IS NOT NULL;
