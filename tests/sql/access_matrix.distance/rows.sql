-- SPDX-License-Identifier: GPL-2.0-or-later
-- Where node 1's accesses went is not known. Of "local" that is one of ten: at most wilson_high(1, 10) = 40.4 % of δ = 0.5.
.read data/numa.sql
UPDATE access_kinds SET home_node_id = NULL, home_source = 0 WHERE cpu_node_id = 1;
