-- SPDX-License-Identifier: GPL-2.0-or-later
-- The samples of timer.sql, and further waits whose address is lost: three in `worker`, where the next access is to
-- `table`, and two in `main`, where no address is known. In one more sample in `main`, the thread did not wait.
.read data/timer.sql
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, addr_reason, period, memory_opcode, access_bytes, object_id, object_reason, allocation_id, object_offset,
  cpu_node_id, home_node_id, home_source, waited) VALUES
  (15, 1, 2, 1, 1500000015, 4204, 2, 2, 1, 3, 1048576, 3, NULL, 1000000, 1, 8, 1, NULL, 1, 0, 1, 0, 2, 1),
  (16, 1, 2, 1, 1500000016, 4204, 2, 2, 1, 3, 1048584, 3, NULL, 1000000, 1, 8, 1, NULL, 1, 8, 1, 0, 2, 1),
  (17, 1, 2, 1, 1500000017, 4204, 2, 2, 1, 3, 1048592, 3, NULL, 1000000, 1, 8, 1, NULL, 1, 16, 1, 0, 2, 1),
  (18, 1, 1, 0, 1500000018, 4100, 1, 1, 1, 2, NULL, 0, 2, 2000000, NULL, NULL, NULL, 1, NULL, NULL, 0, NULL, 0, 1),
  (19, 1, 1, 0, 1500000019, 4100, 1, 1, 1, 2, NULL, 0, 2, 2000000, NULL, NULL, NULL, 1, NULL, NULL, 0, NULL, 0, 1),
  (20, 1, 1, 0, 1500000020, 4100, 1, 1, 1, 2, NULL, 0, 1, 1000000, NULL, NULL, NULL, 1, NULL, NULL, 0, NULL, 0, 0);
