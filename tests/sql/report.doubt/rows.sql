-- SPDX-License-Identifier: GPL-2.0-or-later
-- Two threads, 1000 samples. The range of sharing has two causes: 300 samples may be computing or waits for memory, and 100 are waits for a table that one thread writes while the other
-- reads it. The first is the larger one, but it alone does not explain the range.
.read data/program.sql
UPDATE objects SET size_bytes = 64 << 20 WHERE id = 1;
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited, missed, time_kind)
SELECT value, 1, 1 + value % 2, value % 2, 1500000000 + value * 1000000, 4210, 3, 2, 1, 3, (1 << 30) + value * 7919 % 65536 * 64, 2, 1000000, 1 + value % 2, 8, 1, value * 7919 % 65536 * 64, 0, 0, 2, 1,
  iif(value <= 100, 1, iif(value <= 400, NULL, 0)), iif(value <= 100, 1, iif(value <= 400, 0, 2))
FROM generate_series(1, 1000);
