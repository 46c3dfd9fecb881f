-- SPDX-License-Identifier: GPL-2.0-or-later
-- Samples, page faults, allocations and tracepoints each show some of the CPUs of a thread. The worker runs on the CPUs
-- 3 (tracepoint), 0 (page fault), 1 (sample), 2 (allocation), 0 (page fault); its rows are not ordered by time. main
-- stays on CPU 0, which no sample shows. Records without a thread, a CPU or a time show no move.
.read data/program.sql
DELETE FROM allocations;
INSERT INTO nodes VALUES (2, '2', 1000000, 500000), (3, '3', 1000000, 500000);
INSERT INTO cpus VALUES (2, 2, 0, 2), (3, 3, 0, 3);
INSERT INTO tracepoints (id, evsel_id, thread_id, cpu, time, name, fields) VALUES
  (1, 1, 2, 3, 1100000000, 'migrate:mm_migrate_pages', NULL),
  (2, 1, 2, NULL, 1150000000, 'sched:sched_switch', NULL),
  (3, 1, NULL, 1, 1160000000, 'sched:sched_switch', NULL);
INSERT INTO page_faults (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  object_id, object_reason, allocation_id, object_offset, cpu_node_id, home_node_id, home_source, first) VALUES
  (1, 2, 2, 0, 1500000000, 4210, 3, 2, 1, 3, 1048576, 1, NULL, 1, 0, 0, 0, 3, 1),
  (2, 2, 2, 0, 1200000000, 4210, 3, 2, 1, 3, 1052672, 1, NULL, 1, 4096, 0, 0, 3, 1),
  (3, 2, 1, 0, 1210000000, 4100, 1, 1, 1, 2, 2097152, 1, NULL, 2, 0, 0, 0, 3, 1);
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, addr_reason, period, memory_opcode, access_bytes, object_id, object_reason, allocation_id, object_offset,
  cpu_node_id, home_node_id, home_source, waited) VALUES
  (1, 1, 2, 1, 1300000000, 4210, 3, 2, 1, 3, 1048576, 2, NULL, 1000000, 1, 8, 1, NULL, 1, 0, 1, 0, 2, 1);
INSERT INTO allocations SELECT 1, 1, 1, 2, NULL, 1, 1400000000, NULL, 1048576, 1056768, 8192, 3, NULL, NULL, 2, NULL, 1;
INSERT INTO allocations SELECT 2, 1, 1, 2, NULL, 1, NULL, NULL, 2048576, 2056768, 8192, 3, NULL, NULL, 1, NULL, 1;
INSERT INTO allocations SELECT 3, 1, 1, 1, NULL, 1, 1400000000, NULL, 3048576, 3056768, 8192, 3, NULL, NULL, 0, NULL, 1;
