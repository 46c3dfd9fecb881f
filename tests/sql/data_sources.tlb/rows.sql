-- SPDX-License-Identifier: GPL-2.0-or-later
-- What node 1 accesses misses the TLB, the rest hits it.
.read data/hardware.sql
UPDATE access_kinds SET memory_dtlb = iif(cpu_node_id = 1, 7, 2);
