-- SPDX-License-Identifier: GPL-2.0-or-later
-- `buf` got the memory of an earlier object. For two of its samples, the time when the page was placed is known: one of
-- the two pages was placed before `buf` was allocated.
.read data/timer.sql
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, allocation_id, object_offset, cpu_node_id, home_node_id,
  home_source, waited, reused) VALUES
  (15, 1, 2, 1, 1500000015, 4210, 3, 2, 1, 3, 3145728, 2, 1000000, 1, 8, 3, 3, 0, 1, 0, 3, 1, 1),
  (16, 1, 2, 1, 1500000016, 4204, 2, 2, 1, 3, 3145736, 2, 1000000, 1, 8, 3, 3, 8, 1, 1, 3, 1, 0),
  (17, 1, 2, 1, 1500000017, 4204, 2, 2, 1, 3, 3145744, 2, 1000000, 1, 8, 3, 3, 16, 1, NULL, 0, 1, NULL);
UPDATE objects SET first_sample_id = 1, first_fault_id = 1 WHERE id = 1;
UPDATE objects SET first_sample_id = 9, first_fault_id = 5 WHERE id = 2;
UPDATE objects SET first_sample_id = 15 WHERE id = 3;
