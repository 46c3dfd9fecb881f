-- SPDX-License-Identifier: GPL-2.0-or-later
-- libc touched pages for main (line 10), for std::fill, which is inlined into worker (line 21), and in memset for an
-- unknown caller.
.read data/program.sql
INSERT INTO symbols VALUES (3, 2, 'memset', 'memset', 512, 600), (4, 2, 'read', 'read', 700, 800);
INSERT INTO locations VALUES (6, 1, 2, 1, 4220, 20, 21, 1, 'worker');
INSERT INTO inlined_frames VALUES (3, 6, -1, 'std::vector::resize', 1, 901), (4, 6, -2, 'std::fill', 1, 900);
INSERT INTO page_faults (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  object_id, object_reason, allocation_id, object_offset, cpu_node_id, home_node_id, home_source, first, caller_id, called_id) VALUES
  (1, 2, 1, 0, 1250000001, 512, 4, 3, 2, 2, 1048576, 1, NULL, 1, 0, 0, 0, 3, 1, 1, 3),
  (2, 2, 1, 0, 1250000002, 516, 4, 3, 2, 2, 1052672, 1, NULL, 1, 4096, 0, 0, 3, 1, 1, 3),
  (3, 2, 1, 0, 1250000003, -4096, 5, NULL, 3, 3, 2097152, 1, NULL, 2, 0, 0, 0, 3, 1, 1, 4),
  (4, 2, 2, 1, 1250000004, 4220, 6, 2, 1, 3, 2099152, 1, NULL, 2, 0, 1, 1, 3, 1, NULL, NULL),
  (5, 2, 1, 0, 1250000005, 512, 4, NULL, 2, 5, 65536, 2, NULL, NULL, 0, 0, 0, 3, 1, 6, 3),
  (6, 2, 1, 0, 1250000006, 512, 4, 3, 2, 5, 69632, 2, NULL, NULL, 0, 0, 0, 3, 1, NULL, 3);
UPDATE objects SET first_fault_id = 3 WHERE id = 1;
UPDATE objects SET first_fault_id = 5 WHERE id = 2;
