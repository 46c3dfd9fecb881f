-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   matrix
-- summary: Samples by node of the CPU and node of the accessed page.
-- keep:    5000 rows at most
SELECT
  scope AS scope,                 -- kind of the row: "run", "object", "thread"; select one
  object_id AS object_id,         -- object: objects.object_id
  thread_id AS thread_id,         -- thread: threads.thread_id
  cpu_node_id AS cpu_node,        -- node of the CPU; NULL: not known
  home_node_id AS home,           -- node of the page; NULL: not known
  distance AS distance,           -- the kernel's distance, local = 10
  samples AS samples,             -- number of samples
  estimate AS estimate,           -- Σ period of the samples: accesses (hardware), ns (timer)
  share_pct AS share_pct,         -- share of the samples whose nodes are known, by Σ period, 0-100
  share_low_pct AS share_low_pct, -- lower bound of the share of all samples, including those with an unknown node
  share_high_pct AS share_high_pct, -- upper bound of the share of all samples, including those with an unknown node
  home_pct AS home_pct            -- coverage: share of addressed samples whose nodes are known, 0-100
FROM access_matrix
WHERE scope IN ('run', 'object', 'thread')
ORDER BY scope = 'run' DESC, samples DESC, object_id, thread_id, cpu_node_id, home_node_id;
