-- SPDX-License-Identifier: GPL-2.0-or-later
-- Node 0 first touched all pages of `table`, and node 1 used them: 36 of 40 samples are remote.
.read data/program.sql
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, address, addr_source, period,
  memory_opcode, object_id, allocation_id, object_offset, cpu_node_id, home_node_id, home_source)
SELECT value, 1, 2, 1, 1500000000 + value, 4210, 3, 2, 1, 1048576, 2, 1000000, 1, 1, 1, 0, 1, value % 10 = 0, 2
FROM generate_series(1, 40);
INSERT INTO page_faults (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, address, object_id,
  allocation_id, object_offset, cpu_node_id, home_node_id, home_source, first)
SELECT value, 2, 1, 0, 1400000000 + value, 4100, 1, 1, 1, 1048576 + value * 4096, 1, 1, value * 4096, 0, 0, 3, 1
FROM generate_series(0, 1);
