-- SPDX-License-Identifier: GPL-2.0-or-later
-- Thread 2 runs on node 1, and the homes of its accesses are not known. Of the ten known accesses to "local", one
-- could be remote: at most wilson_high(1, 10) = 40.4 % of δ = 0.5.
.read data/numa.sql
UPDATE access_kinds SET home_node_id = NULL, home_source = 0 WHERE cpu_node_id = 1;
