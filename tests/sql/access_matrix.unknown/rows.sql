-- SPDX-License-Identifier: GPL-2.0-or-later
-- Accesses from node 1 count in no row, because the home of their page is not known. The others count by home only:
-- their CPU is not known.
.read data/numa.sql
UPDATE access_kinds SET home_node_id = NULL, home_source = 0 WHERE cpu_node_id = 1;
UPDATE access_kinds SET cpu_node_id = NULL WHERE home_node_id = 1;
