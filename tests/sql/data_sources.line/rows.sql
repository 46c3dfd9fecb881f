-- SPDX-License-Identifier: GPL-2.0-or-later
-- Accesses from node 1 found their cache line modified in another cache. The snoop result of the other accesses
-- is not known, so they lower the coverage (known_pct).
.read data/hardware.sql
UPDATE access_kinds SET memory_snoop = iif(cpu_node_id = 1, 4, NULL);
