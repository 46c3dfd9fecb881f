-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    node_requests
-- summary: How many accesses go to the memory of each node, and how unevenly.
-- grain:   one row per kind of thing ("of": "run", "object", "thread"), thing and node that was accessed; a run, object or thread with a known home
-- source:  Liu & Mellor-Crummey 2014, 4.1 (requests per NUMA domain); imbalance: max / mean over the nodes that have memory
-- note:    counts accesses, whatever cache served them; where a thread ran makes no difference here
-- column:  of              TEXT     "run", "object", "thread"
-- column:  object_id       INTEGER  object: objects.id
-- column:  thread_id       INTEGER  thread: threads.id; NULL: not known
-- column:  node_id         INTEGER  home of the pages
-- column:  accesses        INTEGER  accesses to that node (count)
-- column:  accesses_pct    REAL     their share of those whose home is known, 0-100
-- column:  accesses_low_pct  REAL   lower end of its 95 % Wilson interval
-- column:  accesses_high_pct REAL   upper end
-- column:  imbalance       REAL     of the thing: accesses to the busiest node by the mean of all nodes with memory; 1: even
-- column:  home_pct        REAL     coverage: accesses of the thing whose home is known, 0-100
CREATE VIEW node_requests AS
WITH
  part AS (
    SELECT c.of AS of, c.object_id AS object_id, c.thread_id AS thread_id, k.home_node_id AS node_id, sum(c.samples) AS accesses
    FROM thing_cells AS c
    CROSS JOIN kind_measures AS m ON m.id = c.kind_id
    CROSS JOIN access_kinds AS k ON k.id = c.kind_id
    WHERE m.accesses AND (c.of IN ('run', 'thread') OR (c.of = 'object' AND c.object_id IS NOT NULL))
    GROUP BY 1, 2, 3, 4
  ),
  whole AS (
    SELECT
      *,
      sum(accesses) OVER thing AS everything,
      sum(iif(node_id IS NOT NULL, accesses, 0)) OVER thing AS known,
      max(iif(node_id IS NOT NULL, accesses, 0)) OVER thing AS most,
      sum(node_id IS NOT NULL) OVER thing AS seen
    FROM part
    WINDOW thing AS (PARTITION BY of, object_id, thread_id)
  )
SELECT
  of,
  object_id,
  thread_id,
  node_id,
  accesses,
  100.0 * accesses / known AS accesses_pct,
  wilson_low(accesses, known) AS accesses_low_pct,
  wilson_high(accesses, known) AS accesses_high_pct,
  1.0 * most * max(seen, (SELECT count(*) FROM nodes WHERE mem_total_bytes > 0)) / known AS imbalance,
  100.0 * known / everything AS home_pct
FROM whole
WHERE node_id IS NOT NULL;
