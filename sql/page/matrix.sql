-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   matrix
-- summary: Samples by node of the CPU and node of the accessed page.
-- keep:    5000 rows at most
SELECT
  scope AS scope,                 -- what the row is about: "run", "object" or "thread"; select one scope, because the rows of each scope cover all samples
  object_id AS object_id,         -- for scope "object": objects.object_id
  thread_id AS thread_id,         -- for scope "thread": threads.thread_id
  cpu_node_id AS cpu_node,        -- node of the CPU; NULL: not known
  home_node_id AS home,           -- node of the page; NULL: not known
  distance AS distance,           -- the kernel's distance between the two nodes; within a node it is 10
  samples AS samples,             -- number of samples with these two nodes
  estimate AS estimate,           -- what these samples represent (sum of their periods): a number of accesses (hardware samplers), or ns (timer)
  share_pct AS share_pct,         -- share of what the samples with known nodes represent (sum of their periods), 0-100
  share_low_pct AS share_low_pct, -- lower bound of the share of all samples: samples with an unknown node do not count in this row
  share_high_pct AS share_high_pct, -- upper bound of the share of all samples: all samples with an unknown node count in this row
  home_pct AS home_pct            -- coverage of share_pct: share of the samples whose two nodes are known, 0-100
FROM access_matrix
WHERE scope IN ('run', 'object', 'thread')
ORDER BY scope = 'run' DESC, samples DESC, object_id, thread_id, cpu_node_id, home_node_id;
