-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW pinning AS
-- view:    pinning
-- summary: Accesses by class: pinned or unpinned thread, pinned or unpinned page, local or remote.
-- grain:   one row for each combination of scope ("run", "function", "line", "object", "thread"), member of the scope, kind of memory and class
--          that has a sample
-- source:  Valat & Bouizi 2018, 5.1 (NUMAPROF): local, remote, unpinned page, unpinned thread, unpinned both, and the same for MCDRAM
-- note:    a thread is unpinned while its affinity spans several nodes; a page is unpinned if an unpinned thread placed it and no policy
--          chose its node. An unpinned access may be local in this run and remote in the next
-- note:    a memory node has no CPUs, so its pages are never local. They are "nearest" if no other memory node is nearer to
--          the CPU's node, else "farther"
WITH
  memory_only AS (
    SELECT id FROM nodes WHERE cpus = '' AND mem_total_bytes > 0
  ),
  near AS ( -- for each node, the nodes without CPUs that are nearest to it
    SELECT i, j
    FROM (
      SELECT d.from_node_id AS i, d.to_node_id AS j, d.distance AS distance, min(d.distance) OVER (PARTITION BY d.from_node_id) AS least
      FROM node_distances AS d
      JOIN memory_only AS m ON m.id = d.to_node_id
    )
    WHERE distance = least
  ),
  classes AS ( -- the class (see summary) of each kind of access (access_kinds)
    SELECT
      k.id AS kind_id,
      CASE WHEN k.home_node_id IS NULL THEN NULL WHEN m.id IS NOT NULL THEN 'memory node' ELSE 'cpu node' END AS memory,
      CASE
        WHEN k.thread_pinned = 0 AND k.page_pinned = 0 THEN 'unpinned both'
        WHEN k.thread_pinned = 0 AND k.page_pinned = 1 THEN 'unpinned thread'
        WHEN k.thread_pinned = 1 AND k.page_pinned = 0 THEN 'unpinned page'
        WHEN k.thread_pinned IS NULL OR k.page_pinned IS NULL OR k.home_node_id IS NULL OR k.cpu_node_id IS NULL THEN 'unknown'
        WHEN m.id IS NOT NULL THEN iif(n.j IS NULL, 'farther', 'nearest')
        WHEN k.home_node_id = k.cpu_node_id THEN 'local'
        ELSE 'remote'
      END AS class
    FROM access_kinds AS k
    JOIN kind_measures AS x ON x.id = k.id
    LEFT JOIN memory_only AS m ON m.id = k.home_node_id
    LEFT JOIN near AS n ON n.i = k.cpu_node_id AND n.j = k.home_node_id
    WHERE x.addressed
  ),
  part AS (
    SELECT
      c.scope AS scope, c.instruction_id AS instruction_id, c.object_id AS object_id, c.thread_id AS thread_id,
      k.memory AS memory, k.class AS class, sum(c.samples) AS samples, sum(c.period) AS estimate, sum(c.period_sq) AS estimate_sq
    FROM kind_totals AS c
    JOIN classes AS k ON k.kind_id = c.kind_id
    WHERE c.scope <> 'object' OR c.object_id IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6
  ),
  share AS (
    SELECT *, sum(estimate) OVER w AS n, sum(estimate_sq) OVER w AS sq
    FROM part
    WINDOW w AS (PARTITION BY scope, instruction_id, object_id, thread_id)
  )
SELECT
  p.scope AS scope,                   -- what the row is about: "run", "function", "line", "object" or "thread"; select one scope, because the rows of each scope cover all samples
  iif(p.instruction_id IS NULL, NULL, code_name(coalesce(l.function, s.name), d.short_name)) AS function, -- for scopes "function" and "line": function of the innermost frame; the symbol if there is no debug information; [file] if there is no symbol
  iif(p.scope = 'function', s.name, NULL) AS symbol, -- for scope "function": the symbol that contains it
  iif(p.scope = 'line', f.path, NULL) AS file, -- for scope "line": source file
  iif(p.scope = 'line', l.line, NULL) AS line, -- for scope "line": source line
  p.object_id AS object_id,           -- for scope "object": objects.id
  p.thread_id AS thread_id,           -- for scope "thread": threads.id; NULL: not known
  p.memory AS memory,                 -- kind of the page's node: "cpu node", or "memory node" (a node without CPUs); NULL: not known
  p.class AS class,                   -- "local" or "remote", for memory nodes "nearest" or "farther"; "unpinned page", "unpinned thread" or "unpinned both" if thread or page could be elsewhere in another run; "unknown"
  p.samples AS samples,               -- number of addressed samples of this class
  p.estimate AS estimate,             -- what these samples represent (sum of their periods): a number of accesses (hardware samplers), or ns (timer)
  100.0 * p.estimate / p.n AS share_pct, -- share of what all addressed samples represent (sum of their periods), 0-100
  share_low(p.estimate, p.n, p.sq) AS share_low_pct, -- lower end of the 95 % interval of share_pct
  share_high(p.estimate, p.n, p.sq) AS share_high_pct -- upper end of the 95 % interval of share_pct
FROM share AS p
LEFT JOIN instructions AS i ON i.id = p.instruction_id
LEFT JOIN locations AS l ON l.id = i.location_id
LEFT JOIN symbols AS s ON s.id = i.symbol_id
LEFT JOIN dsos AS d ON d.id = i.dso_id
LEFT JOIN files AS f ON f.id = l.file_id;
