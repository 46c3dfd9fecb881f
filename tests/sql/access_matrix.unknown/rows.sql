-- SPDX-License-Identifier: GPL-2.0-or-later
-- The homes of pages that node 1 accesses are not known, so its accesses are in no row. Of the other accesses the
-- CPU is not known, so they are in the rows by home only.
.read data/numa.sql
UPDATE access_kinds SET home_node_id = NULL, home_source = 0 WHERE cpu_node_id = 1;
UPDATE access_kinds SET cpu_node_id = NULL WHERE home_node_id = 1;
