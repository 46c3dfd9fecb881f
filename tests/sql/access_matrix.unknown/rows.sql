-- SPDX-License-Identifier: GPL-2.0-or-later
-- Of node 1 it is not known where its accesses went, of the rest on which CPU they were.
.read data/numa.sql
UPDATE access_kinds SET home_node_id = NULL, home_source = 0 WHERE cpu_node_id = 1;
UPDATE access_kinds SET cpu_node_id = NULL WHERE home_node_id = 1;
