-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   distances
-- summary: The kernel's distances between nodes: 10 is local.
-- keep:    20000 rows at most
SELECT
  from_node_id AS from_node, -- node of the CPU
  to_node_id AS to_node,     -- node of the memory
  distance AS distance       -- latency on a scale where local memory is 10
FROM node_distances
ORDER BY from_node_id, to_node_id;
