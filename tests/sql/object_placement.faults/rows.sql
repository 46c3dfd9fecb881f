-- SPDX-License-Identifier: GPL-2.0-or-later
-- Besides accesses, there are three samples in page faults of `table`, whose memory was placed six times, and one sample
-- in a page fault of an unknown object.
.read data/timer.sql
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, addr_reason, period, memory_opcode, access_bytes, object_id, object_reason, allocation_id, object_offset,
  cpu_node_id, home_node_id, home_source, waited) VALUES
  (21, 1, 2, 1, 1600000001, -4096, 5, NULL, 3, NULL, 1048576, 5, NULL, 1000000, 2, NULL, 1, NULL, 1, 0, 1, 0, 2, 0),
  (22, 1, 2, 1, 1600000002, -4096, 5, NULL, 3, NULL, 1052672, 5, NULL, 1000000, 2, NULL, 1, NULL, 1, 4096, 1, 0, 2, 0),
  (23, 1, 1, 0, 1600000003, -4096, 5, NULL, 3, NULL, 1052672, 5, NULL, 1000000, 2, NULL, 1, NULL, 1, 4096, 0, 0, 2, 0),
  (24, 1, 1, 0, 1600000004, -4096, 5, NULL, 3, NULL, NULL, 5, 6, 1000000, NULL, NULL, NULL, 1, NULL, NULL, 0, NULL, 0, 0);
INSERT INTO page_faults (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  object_id, object_reason, allocation_id, object_offset, cpu_node_id, home_node_id, home_source, first)
SELECT 20 + value, 2, 1, 0, 1260000000 + value, 4100, 1, 1, 1, 2, 1048576 + 4096 * (value % 4), 1, NULL, 1, 4096 * (value % 4), 0, 0, 3, 1
FROM generate_series(0, 59);
