-- SPDX-License-Identifier: GPL-2.0-or-later
-- Each of the 512 pages of table (2 MiB) is read before it is written, so it has two page faults. They take 60 of 200 samples;
-- the other 140 wait for accesses to table.
.read data/program.sql
UPDATE objects SET size_bytes = 2097152 WHERE id = 1;
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited, missed, time_kind)
SELECT value, 1, 1, 0, 1500000000 + value, iif(value <= 60, -4096, 4100), iif(value <= 60, 5, 1), iif(value <= 60, NULL, 1), iif(value <= 60, 3, 1), 1048576 + 4096 * value,
  iif(value <= 60, 5, 2), 1000000, 1, 8, 1, 4096 * value, 0, 0, 1, value > 60, iif(value > 60, 1, NULL), iif(value <= 60, 8, 1)
FROM generate_series(1, 200);
INSERT INTO page_faults (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, address, object_id, object_offset,
  memory_opcode, page_bytes, cpu_node_id, home_node_id, home_source, first)
SELECT value + 1, 2, 1, 0, 1400000000 + value, 4100, 1, 1, 1, 1048576 + 4096 * (value / 2), 1, 4096 * (value / 2), 1 + value % 2, 4096, 0, 0, 3, value % 2
FROM generate_series(0, 1023);
