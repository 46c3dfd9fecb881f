-- SPDX-License-Identifier: GPL-2.0-or-later
-- Samples of an event that counts cycles, instead of the timer. `table` has two waits, of 3,000,000 and 1,000,000
-- cycles. The addresses of four waits of 1,000,000 cycles are lost. In two samples of 1,000,000 cycles, the thread did
-- not wait. The cost is 8,000,000 of 10,000,000 cycles, half of it in `table`.
.read data/program.sql
UPDATE selected_events SET name = 'cycles', role = 'cycles', sample_period = NULL, sample_freq = 4000, type = 0 WHERE id = 1;
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, addr_reason, period, memory_opcode, access_bytes, object_id, object_reason, allocation_id, object_offset,
  cpu_node_id, home_node_id, home_source, waited)
SELECT column1, 1, 2, 1, 1500000000 + column1, 4210, 3, 2, 1, 3, iif(column2 = 2, 1048576, NULL), column2, iif(column2 = 2, NULL, 2), column3, 1, 8,
  iif(column2 = 2, 1, NULL), iif(column2 = 2, NULL, 1), iif(column2 = 2, 1, NULL), iif(column2 = 2, 0, NULL), 1, iif(column2 = 2, 0, NULL), 2, column4
FROM (VALUES (1, 2, 3000000, 1), (2, 2, 1000000, 1), (3, 0, 1000000, 1), (4, 0, 1000000, 1), (5, 0, 1000000, 1), (6, 0, 1000000, 1),
  (7, 0, 1000000, 0), (8, 0, 1000000, 0));
