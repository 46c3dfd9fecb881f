-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    pinning
-- summary: Accesses by whether thread and page were where they were put: pinned, or left to chance.
-- grain:   one row per kind of thing ("of": "run", "function", "object", "thread"), thing, kind of memory and class with an access
-- source:  Valat & Bouizi 2018, 5.1 (NUMAPROF): local, remote, unpinned page, unpinned thread, unpinned both, and the same for MCDRAM
-- note:    a thread is unpinned while its affinity spans nodes; a page is unpinned if such a thread placed it and no policy did. What
--          is unpinned may be local today and remote in the next run
-- note:    a node with memory only is near to the nodes with no nearer one of its kind: to them its pages are local
-- column:  of              TEXT     "run", "function", "object", "thread"
-- column:  symbol_id       INTEGER  function: symbols.id; NULL: no symbol
-- column:  dso_id          INTEGER  function: dsos.id
-- column:  object_id       INTEGER  object: objects.id
-- column:  thread_id       INTEGER  thread: threads.id; NULL: not known
-- column:  memory          TEXT     "cpu node", "memory node" (one without CPUs); NULL: the home is not known
-- column:  class           TEXT     "local", "remote", "unpinned page", "unpinned thread", "unpinned both", "unknown"
-- column:  accesses        INTEGER  accesses (count)
-- column:  accesses_pct    REAL     their share of the thing's accesses, 0-100
-- column:  accesses_low_pct  REAL   lower end of its 95 % Wilson interval
-- column:  accesses_high_pct REAL   upper end
CREATE VIEW pinning AS
WITH
  memory_only AS (
    SELECT id FROM nodes WHERE cpus = '' AND mem_total_bytes > 0
  ),
  near AS ( -- the nearest memory-only nodes of each node
    SELECT i, j
    FROM (
      SELECT d.from_node_id AS i, d.to_node_id AS j, d.distance AS distance, min(d.distance) OVER (PARTITION BY d.from_node_id) AS least
      FROM node_distances AS d
      JOIN memory_only AS m ON m.id = d.to_node_id
    )
    WHERE distance = least
  ),
  classes AS ( -- of each kind of access
    SELECT
      k.id AS kind_id,
      CASE WHEN k.home_node_id IS NULL THEN NULL WHEN m.id IS NOT NULL THEN 'memory node' ELSE 'cpu node' END AS memory,
      CASE
        WHEN k.thread_pinned = 0 AND k.page_pinned = 0 THEN 'unpinned both'
        WHEN k.thread_pinned = 0 AND k.page_pinned = 1 THEN 'unpinned thread'
        WHEN k.thread_pinned = 1 AND k.page_pinned = 0 THEN 'unpinned page'
        WHEN k.thread_pinned IS NULL OR k.page_pinned IS NULL OR k.home_node_id IS NULL OR k.cpu_node_id IS NULL THEN 'unknown'
        WHEN k.home_node_id = k.cpu_node_id OR n.j IS NOT NULL THEN 'local'
        ELSE 'remote'
      END AS class
    FROM access_kinds AS k
    JOIN kind_measures AS x ON x.id = k.id
    LEFT JOIN memory_only AS m ON m.id = k.home_node_id
    LEFT JOIN near AS n ON n.i = k.cpu_node_id AND n.j = k.home_node_id
    WHERE x.accesses
  ),
  part AS (
    SELECT
      c.of AS of, i.symbol_id AS symbol_id, i.dso_id AS dso_id, c.object_id AS object_id, c.thread_id AS thread_id,
      k.memory AS memory, k.class AS class, sum(c.samples) AS accesses
    FROM thing_cells AS c
    JOIN classes AS k ON k.kind_id = c.kind_id
    LEFT JOIN instructions AS i ON i.id = c.instruction_id
    WHERE c.of <> 'object' OR c.object_id IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6, 7
  ),
  whole AS (
    SELECT *, sum(accesses) OVER (PARTITION BY of, symbol_id, dso_id, object_id, thread_id) AS everything FROM part
  )
SELECT
  of,
  symbol_id,
  dso_id,
  object_id,
  thread_id,
  memory,
  class,
  accesses,
  100.0 * accesses / everything AS accesses_pct,
  wilson_low(accesses, everything) AS accesses_low_pct,
  wilson_high(accesses, everything) AS accesses_high_pct
FROM whole;
