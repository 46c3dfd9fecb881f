-- SPDX-License-Identifier: GPL-2.0-or-later
-- On a machine with one node, nothing can be remote. The number of remote samples must be NULL, not 0.
.read data/eight.sql
DELETE FROM nodes WHERE id = 1;
DELETE FROM node_distances WHERE from_node_id = 1 OR to_node_id = 1;
UPDATE cpus SET node_id = 0;
UPDATE access_kinds SET cpu_node_id = 0 WHERE cpu_node_id = 1;
