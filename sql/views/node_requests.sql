-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    node_requests
-- summary: How many accesses go to the memory of each node, and how unevenly.
-- grain:   one row per kind of thing ("of": "run", "object", "thread"), thing and node with memory; a run, object or thread with a known home
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
  kinds (of, by_object, by_thread) AS (VALUES ('run', 0, 0), ('object', 1, 0), ('thread', 0, 1)),
  part AS (
    SELECT
      k.of AS of, iif(k.by_object, a.object_id, NULL) AS object_id, iif(k.by_thread, a.thread_id, NULL) AS thread_id,
      a.home_node_id AS node_id, sum(a.accesses) AS accesses
    FROM kinds AS k
    CROSS JOIN accesses AS a
    WHERE a.accesses > 0 AND (NOT k.by_object OR a.object_id IS NOT NULL)
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
