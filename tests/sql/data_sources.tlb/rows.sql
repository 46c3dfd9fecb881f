-- SPDX-License-Identifier: GPL-2.0-or-later
-- Accesses from node 1 miss the TLB; the others hit it.
.read data/hardware.sql
UPDATE access_kinds SET memory_dtlb = iif(cpu_node_id = 1, 7, 2);
