-- SPDX-License-Identifier: GPL-2.0-or-later
-- What node 1 accesses is modified in another cache; of the rest nothing is said.
.read data/hardware.sql
UPDATE access_kinds SET memory_snoop = iif(cpu_node_id = 1, 4, NULL);
