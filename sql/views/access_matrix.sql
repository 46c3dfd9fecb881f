-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    access_matrix
-- summary: From which node which node's memory is accessed: r_ij.
-- grain:   one row per kind of thing ("of": "run", "object", "thread"), thing, CPU node and home node with an access
-- source:  r_ij of Machado, Tadonki & Senger 2023
-- column:  of              TEXT     "run", "object", "thread"
-- column:  object_id       INTEGER  object: objects.id
-- column:  thread_id       INTEGER  thread: threads.id; NULL: not known
-- column:  cpu_node_id     INTEGER  i: node of the CPU
-- column:  home_node_id    INTEGER  j: node of the page
-- column:  distance        INTEGER  d_ij: the kernel's distance, local = 10; NULL: not known
-- column:  accesses        INTEGER  r_ij: accesses (count)
-- column:  accesses_pct    REAL     their share of all of the thing whose nodes are known, 0-100
-- column:  accesses_low_pct  REAL   lower end of its 95 % Wilson interval
-- column:  accesses_high_pct REAL   upper end
-- column:  home_pct        REAL     coverage: accesses of the thing whose nodes are known, 0-100
CREATE VIEW access_matrix AS
WITH
  part AS (
    SELECT
      c.of AS of, c.object_id AS object_id, c.thread_id AS thread_id,
      iif(k.home_node_id IS NULL, NULL, k.cpu_node_id) AS cpu_node_id,
      iif(k.cpu_node_id IS NULL, NULL, k.home_node_id) AS home_node_id, sum(c.samples) AS accesses
    FROM thing_cells AS c
    CROSS JOIN kind_measures AS m ON m.id = c.kind_id
    CROSS JOIN access_kinds AS k ON k.id = c.kind_id
    WHERE m.accesses AND (c.of IN ('run', 'thread') OR (c.of = 'object' AND c.object_id IS NOT NULL))
    GROUP BY 1, 2, 3, 4, 5
  ),
  whole AS (
    SELECT
      *,
      sum(accesses) OVER thing AS everything,
      sum(iif(cpu_node_id IS NOT NULL, accesses, 0)) OVER thing AS known
    FROM part
    WINDOW thing AS (PARTITION BY of, object_id, thread_id)
  )
SELECT
  w.of AS of,
  w.object_id AS object_id,
  w.thread_id AS thread_id,
  w.cpu_node_id AS cpu_node_id,
  w.home_node_id AS home_node_id,
  d.distance AS distance,
  w.accesses AS accesses,
  100.0 * w.accesses / w.known AS accesses_pct,
  wilson_low(w.accesses, w.known) AS accesses_low_pct,
  wilson_high(w.accesses, w.known) AS accesses_high_pct,
  100.0 * w.known / w.everything AS home_pct
FROM whole AS w
LEFT JOIN node_distances AS d ON d.from_node_id = w.cpu_node_id AND d.to_node_id = w.home_node_id
WHERE w.cpu_node_id IS NOT NULL;
