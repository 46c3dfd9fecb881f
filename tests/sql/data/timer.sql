-- SPDX-License-Identifier: GPL-2.0-or-later
-- Timer samples of 1 ms. In ten, the thread waited (in eight for `table`, in two for `counter`). In the others, it was
-- about to access `counter`, in code of an unknown file, and in the kernel.
.read data/program.sql
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, addr_reason, period, memory_opcode, access_bytes, object_id, object_reason, allocation_id, object_offset,
  cpu_node_id, home_node_id, home_source, waited) VALUES
  (1, 1, 2, 1, 1500000001, 4210, 3, 2, 1, 3, 1048576, 2, NULL, 1000000, 1, 8, 1, NULL, 1, 0, 1, 0, 2, 1),
  (2, 1, 2, 1, 1500000002, 4210, 3, 2, 1, 3, 1048584, 2, NULL, 1000000, 1, 8, 1, NULL, 1, 8, 1, 0, 2, 1),
  (3, 1, 2, 1, 1500000003, 4210, 3, 2, 1, 3, 1048592, 2, NULL, 1000000, 1, 8, 1, NULL, 1, 16, 1, 0, 2, 1),
  (4, 1, 2, 1, 1500000004, 4210, 3, 2, 1, 3, 1048600, 2, NULL, 1000000, 1, 8, 1, NULL, 1, 24, 1, 0, 2, 1),
  (5, 1, 2, 1, 1500000005, 4210, 3, 2, 1, 3, 1056760, 2, NULL, 1000000, 1, 8, 1, NULL, 1, 8184, 1, 0, 2, 1),
  (6, 1, 2, 0, 1500000006, 4210, 3, 2, 1, 3, 1048576, 2, NULL, 1000000, 1, 8, 1, NULL, 1, 0, 0, 0, 2, 1),
  (7, 1, 1, 0, 1500000007, 4100, 1, 1, 1, 2, 2097152, 2, NULL, 1000000, 1, 8, 1, NULL, 2, 0, 0, 1, 2, 1),
  (8, 1, 1, 0, 1500000008, 4100, 1, 1, 1, 2, 2097160, 2, NULL, 1000000, 3, 8, 1, NULL, 2, 8, 0, NULL, 0, 1),
  (9, 1, 2, 1, 1500000009, 4204, 2, 2, 1, 3, 65536, 2, NULL, 1000000, 2, 8, 2, NULL, NULL, 0, 1, 1, 2, 1),
  (10, 1, 2, 1, 1500000010, 4204, 2, 2, 1, 3, 65536, 2, NULL, 1000000, 2, 8, 2, NULL, NULL, 0, 1, 1, 2, 1),
  (11, 1, 1, 0, 1500000011, 4100, 1, 1, 1, 2, 65536, 3, NULL, 1000000, 2, 8, 2, NULL, NULL, 0, 0, 1, 2, 0),
  (12, 1, 1, 0, 1500000012, 512, 4, NULL, 2, 5, NULL, 0, 3, 1000000, NULL, NULL, NULL, 1, NULL, NULL, 0, NULL, 0, NULL),
  (13, 1, 1, 0, 1500000013, -4096, 5, NULL, 3, NULL, NULL, 0, 6, 1000000, NULL, NULL, NULL, 1, NULL, NULL, 0, NULL, 0, NULL),
  -- row 14 is a sample that counts instructions; it is not a memory access
  (14, 4, 1, 0, 1500000014, 4100, 1, 1, 1, NULL, NULL, 0, 9, 1000000, NULL, NULL, NULL, 1, NULL, NULL, 0, NULL, 0, NULL);
INSERT INTO page_faults (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  object_id, object_reason, allocation_id, object_offset, cpu_node_id, home_node_id, home_source, first) VALUES
  (1, 2, 1, 0, 1250000001, 4100, 1, 1, 1, 2, 1048576, 1, NULL, 1, 0, 0, 0, 3, 1),
  (2, 2, 1, 0, 1250000002, 4100, 1, 1, 1, 2, 1052672, 1, NULL, 1, 4096, 0, 0, 3, 1),
  (3, 2, 2, 1, 1250000003, 4210, 3, 2, 1, 3, 2097152, 1, NULL, 2, 0, 1, 1, 3, 1),
  (4, 2, 2, 1, 1250000004, 4210, 3, 2, 1, 3, 1048576, 1, NULL, 1, 0, 1, 1, 3, 0),
  (5, 2, 1, 0, 1250000005, 512, 4, NULL, 2, 5, 65536, 2, NULL, NULL, 0, 0, 0, 3, 1),
  (6, 2, 1, 0, 1250000006, 512, 4, NULL, 2, 5, 12345678, NULL, 3, NULL, NULL, 0, NULL, 0, 1);
