-- SPDX-License-Identifier: GPL-2.0-or-later
-- Accesses from node 1 find their line modified in another cache. For the others, the snoop result is not known, so
-- they lower known_pct, the coverage.
.read data/hardware.sql
UPDATE access_kinds SET memory_snoop = iif(cpu_node_id = 1, 4, NULL);
