-- SPDX-License-Identifier: GPL-2.0-or-later
-- Every access was counted. A count has the time of its first access and the CPU of its last, so it does not show
-- a move. Page faults show that the worker moves once, from CPU 0 to CPU 1, after the first access of a count that
-- was written on CPU 1.
.read data/program.sql
DELETE FROM allocations;
UPDATE runs SET sampler = 'exact';
UPDATE selected_events SET sample_period = 1 WHERE id = 3;
INSERT INTO access_kinds (id, evsel_id, addr_source, memory_opcode, access_bytes) VALUES (1, 3, 1, 2, 8);
INSERT INTO instructions (id, ip) VALUES (1, 4210);
INSERT INTO sample_data (id, time, thread_id, cpu, instruction_id, kind_id, address, object_id, object_offset, period) VALUES
  (1, 1300000000, 2, 1, 1, 1, 1048576, 1, 0, 500);
INSERT INTO page_faults (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  object_id, object_reason, allocation_id, object_offset, cpu_node_id, home_node_id, home_source, first) VALUES
  (1, 2, 2, 0, 1200000000, 4210, 3, 2, 1, 3, 1048576, 1, NULL, 1, 0, 0, 0, 3, 1),
  (2, 2, 2, 0, 1500000000, 4210, 3, 2, 1, 3, 1052672, 1, NULL, 1, 4096, 0, 0, 3, 1),
  (3, 2, 2, 1, 1600000000, 4210, 3, 2, 1, 3, 1056768, 1, NULL, 1, 8192, 0, 0, 3, 1);
