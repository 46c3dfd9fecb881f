-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW placement_advice AS
-- view:    placement_advice
-- summary: What to try for objects whose accesses go to other nodes, by the homes of these accesses.
-- grain:   one row per object of at least 50 samples of which at least half are remote (lower end of the 95 % interval, the unknown
--          counted as not); not stacks, and not mappings of up to 16 pages
-- note:    concentrated: 90 % of what is known goes to one node. spread: no node has more than 1.25 times its even share of the
--          nodes with CPUs, and each CPU node goes to all alike: interleaving, of which a part of 1 - 1/n is remote by design
WITH
  cpu_nodes AS MATERIALIZED (
    SELECT count(*) AS n FROM nodes WHERE cpus <> ''
  ),
  remote AS MATERIALIZED (
    SELECT c.object_id AS object_id, c.addressed AS addressed, c.remote AS remote, c.local + c.remote AS known, c.remote_pct AS remote_pct, c.home_pct AS home_pct, c.kind AS kind,
      c.threads AS threads
    FROM object_costs AS c
    CROSS JOIN runs AS r
    WHERE c.remote_low_pct > 50 AND c.addressed >= 50 AND c.kind <> 'stack' AND NOT (c.kind = 'mapping' AND c.size_bytes <= 16 * r.page_bytes)
  ),
  cells AS MATERIALIZED ( -- r_ij of these
    SELECT m.object_id AS object_id, m.cpu_node_id AS i, m.home_node_id AS j, m.estimate AS r, m.estimate_sq AS r_sq
    FROM access_matrix AS m
    WHERE m.scope = 'object' AND m.object_id IN (SELECT object_id FROM remote) AND m.cpu_node_id IS NOT NULL AND m.home_node_id IS NOT NULL
  ),
  homes AS (
    SELECT object_id, j, sum(r) AS r, sum(sum(r)) OVER w AS n, sum(sum(r)) OVER w * sum(sum(r)) OVER w / sum(sum(r_sq)) OVER w AS effective,
      row_number() OVER (PARTITION BY object_id ORDER BY sum(r) DESC, j) AS place
    FROM cells
    GROUP BY object_id, j
    WINDOW w AS (PARTITION BY object_id)
  ),
  users AS (
    SELECT object_id, i, sum(r) AS r, sum(sum(r)) OVER (PARTITION BY object_id) AS n,
      row_number() OVER (PARTITION BY object_id ORDER BY sum(r) DESC, i) AS place
    FROM cells
    GROUP BY object_id, i
  ),
  rows_of AS ( -- the largest share that one CPU node's accesses have in one home, less twice what chance may add
    SELECT object_id, max(share - 1.0 / sqrt(n)) AS most
    FROM (
      SELECT object_id, r / sum(r) OVER w AS share, sum(r) OVER w * sum(r) OVER w / sum(r_sq) OVER w AS n
      FROM cells
      WINDOW w AS (PARTITION BY object_id, i)
    )
    GROUP BY object_id
  ),
  touched AS (
    SELECT object_id, home_node_id, count(DISTINCT thread_id) AS threads, max(coalesce(function, '?')) AS function, count(DISTINCT function) AS functions,
      sum(bytes_pct) AS pct
    FROM first_touches
    GROUP BY object_id, home_node_id
    HAVING sum(bytes_pct) >= 90
  ),
  facts AS (
    SELECT
      r.*, h.j AS home, h.r / h.n AS home_share, h.effective AS effective, u.i AS node, u.r / u.n AS node_share, w.most AS most, n.n AS nodes,
      (SELECT d.cpus = '' FROM nodes AS d WHERE d.id = h.j) AS memory_only, t.threads AS touchers, t.function AS function, t.functions AS functions,
      coalesce(p.reused_pct, 0) AS reused_pct
    FROM remote AS r
    CROSS JOIN cpu_nodes AS n
    JOIN homes AS h ON h.object_id = r.object_id AND h.place = 1
    JOIN users AS u ON u.object_id = r.object_id AND u.place = 1
    JOIN rows_of AS w ON w.object_id = r.object_id
    LEFT JOIN touched AS t ON t.object_id = r.object_id AND t.home_node_id = h.j -- else they were moved since
    LEFT JOIN object_placement AS p ON p.object_id = r.object_id
  )
SELECT
  object_id AS object_id,   -- objects.id
  remote_pct AS remote_pct, -- of the samples whose nodes are known, those of pages on another node, 0-100
  remote AS remote,         -- these (count)
  known AS known,           -- samples whose nodes are known (count)
  home_pct AS home_pct,     -- coverage: of the samples with an address, 0-100
  CASE
    WHEN memory_only AND home_share >= 0.9 THEN 'memory only'
    WHEN home_share >= 0.9 AND node_share >= 0.9 THEN 'one node to another'
    WHEN home_share >= 0.9 THEN 'concentrated'
    WHEN nodes > 1 AND home_share - 0.5 / sqrt(effective) <= 1.25 / nodes AND most <= 1.25 / nodes THEN 'spread'
    ELSE 'mixed'
  END AS pattern,           -- "memory only", "one node to another", "concentrated", "spread", "mixed"
  home AS home_node_id,     -- the node with most of what is accessed
  100.0 * home_share AS home_share_pct, -- its share of the samples whose nodes are known, 0-100
  CASE
    WHEN memory_only AND home_share >= 0.9 THEN 'its pages are on node ' || home || ', which is memory without CPUs: bind it to a node with CPUs (mbind, numactl --membind), if that was not meant'
    WHEN home_share >= 0.9 AND node_share >= 0.9 THEN 'node ' || node || ' uses it and its pages are on node ' || home || ': run these threads there, or move the pages (mbind, migratepages)'
    WHEN home_share >= 0.9 AND reused_pct >= 50 THEN 'its pages are on node ' || home || ' since memory that malloc gave out before: map it afresh and initialise it in the threads that use it, or interleave it (mbind)'
    WHEN home_share >= 0.9 AND touchers = 1 AND functions = 1 THEN 'its pages are on node ' || home || ', where one thread touched them first in ' || function || ': initialise it in the threads that use it, or interleave it'
    WHEN home_share >= 0.9 THEN 'its pages are on node ' || home || ': initialise it in the threads that use it, or interleave it'
    WHEN nodes > 1 AND home_share - 0.5 / sqrt(effective) <= 1.25 / nodes AND most <= 1.25 / nodes THEN NULL -- interleaved: remote by design
    ELSE 'its pages are on several nodes, but not on those of the threads that use them: let each thread initialise what it uses, or run it where that is'
  END AS advice             -- what to try; NULL: it is interleaved already, which is all that placement can do while every thread uses all of it
FROM facts;
