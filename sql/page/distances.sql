-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   distances
-- summary: The kernel's distances between nodes: 10 is local.
-- keep:    20000
SELECT
  from_node_id AS from_node, -- where the CPU is
  to_node_id AS to_node,     -- where the memory is
  distance AS distance       -- relative latency
FROM node_distances
ORDER BY from_node_id, to_node_id;
