-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW object_hints AS
-- view:    object_hints
-- summary: What to try with an object, and what says so: place it elsewhere, keep threads apart in it, reuse its memory.
-- grain:   one row per object and hint; no row: there is nothing to say
-- note:    bind, move, spread: of at least 50 samples at least half are remote (lower end of the 95 % interval, the unknown counted as
--          not), by the homes of these accesses; not stacks, and not mappings of up to 16 pages. Where 90 % of what is known goes to one node:
--          bind, where that has no CPUs; move, where one node makes 90 % of the accesses; else spread, as of pages on several nodes.
--          None where it is interleaved already (no node has more than 1.25 times its even share of the nodes with CPUs, and each CPU node
--          goes to all alike), which is all that placement can do while every thread uses all of it
-- note:    pad: at least 50 drawn samples, and 5 % of the object's (lower end), are in lines of false sharing; not stacks
-- note:    reuse: its memory was placed four times or more, in 100 pages or more, for at least 5 % of the thread time (lower end, of 20 samples)
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
  ),
  placed AS (
    SELECT
      *, memory_only AND home_share >= 0.9 AS bind, home_share >= 0.9 AS one_home, home_share >= 0.9 AND node_share >= 0.9 AS one_way,
      nodes > 1 AND home_share - 0.5 / sqrt(effective) <= 1.25 / nodes AND most <= 1.25 / nodes AS interleaved
    FROM facts
  ),
  hints AS (
    SELECT
      object_id, 1 AS priority, CASE WHEN bind THEN 'bind to CPUs' WHEN one_way THEN 'move' ELSE 'spread' END AS hint, remote AS samples,
      printf('%.0f %% of its samples (%d of %d) are of another node', remote_pct, remote, known) || iif(home_pct < 99.95, printf(' (known for %.0f %%)', home_pct), '') AS evidence,
      CASE
        WHEN bind THEN 'its pages are on node ' || home || ', which is memory without CPUs: bind it to a node with CPUs (mbind, numactl --membind), if that was not meant'
        WHEN one_way THEN 'node ' || node || ' uses it and its pages are on node ' || home || ': run these threads there, or move the pages (mbind, migratepages)'
        WHEN one_home AND reused_pct >= 50 THEN 'its pages are on node ' || home || ' since memory that malloc gave out before: map it afresh and initialise it in the threads that use it, or interleave it (mbind)'
        WHEN one_home AND touchers = 1 AND functions = 1 THEN 'its pages are on node ' || home || ', where one thread touched them first in ' || function || ': initialise it in the threads that use it, or interleave it'
        WHEN one_home THEN 'its pages are on node ' || home || ': initialise it in the threads that use it, or interleave it'
        ELSE 'its pages are on several nodes, but not on those of the threads that use them: let each thread initialise what it uses, or run it where that is'
      END AS advice
    FROM placed
    WHERE one_home OR interleaved IS NOT 1
    UNION ALL
    SELECT
      s.object_id, 2, 'pad', s.drawn_object,
      printf('threads write to different bytes of the same cache lines (%d, by up to %d threads) in %d samples, %.1f %% of its samples: false sharing', s.cache_lines, s.threads, s.drawn_object, s.share_pct),
      'keep what each thread writes 64 bytes apart'
    FROM object_sharing AS s
    JOIN objects AS o ON o.id = s.object_id
    WHERE s.sharing = 'false' AND s.drawn >= 50 AND s.share_low_pct >= 5 AND o.kind <> 'stack'
    UNION ALL
    SELECT object_id, 3, 'reuse', fault_samples, printf('its memory was placed %.0f times, page faults of which took %.1f %% of the thread time', times, fault_time_pct), 'reuse its memory'
    FROM object_placement
    WHERE object_id IS NOT NULL AND times >= 4 AND pages >= 100 AND fault_samples >= 20 AND fault_time_low_pct >= 5
  )
SELECT
  h.object_id AS object_id, -- objects.id
  o.name AS object,         -- the object's name
  h.priority AS priority,   -- of several hints at one object the least is the first to try
  h.hint AS hint,           -- "bind to CPUs", "move", "spread", "pad", "reuse"
  h.samples AS samples,     -- samples that say so: remote ones; drawn ones in such lines; in page faults (count)
  h.evidence AS evidence,   -- what says so
  h.advice AS advice        -- what to try
FROM hints AS h
JOIN objects AS o ON o.id = h.object_id;
