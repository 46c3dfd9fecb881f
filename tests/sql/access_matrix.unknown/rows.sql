-- SPDX-License-Identifier: GPL-2.0-or-later
-- For accesses from node 1, the home of the page is not known. For all others, the CPU is not known.
.read data/numa.sql
UPDATE access_kinds SET home_node_id = NULL, home_source = 0 WHERE cpu_node_id = 1;
UPDATE access_kinds SET cpu_node_id = NULL WHERE home_node_id = 1;
