-- SPDX-License-Identifier: GPL-2.0-or-later
-- The homes of the accesses of thread 2 are not known, so one of the ten accesses to "local" may be remote. If all
-- ten were remote, δ would be 0.5, so the upper end of δ is 0.5 · wilson_high(1, 10) (40.4 %).
.read data/numa.sql
UPDATE access_kinds SET home_node_id = NULL, home_source = 0 WHERE cpu_node_id = 1;
