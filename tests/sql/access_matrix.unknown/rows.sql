-- SPDX-License-Identifier: GPL-2.0-or-later
-- The homes of the pages that node 1 accesses are not known, so these accesses are in no row. The CPU of accesses to
-- pages on node 1 is not known, so they are only in rows by home.
.read data/numa.sql
UPDATE access_kinds SET home_node_id = NULL, home_source = 0 WHERE cpu_node_id = 1;
UPDATE access_kinds SET cpu_node_id = NULL WHERE home_node_id = 1;
