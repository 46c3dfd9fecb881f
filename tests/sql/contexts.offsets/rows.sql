-- SPDX-License-Identifier: GPL-2.0-or-later
-- One function has samples at three of its instructions, so it has three call paths from main. For each thread, it
-- must have one context, not three.
.read data/program.sql
INSERT INTO locations VALUES (11, 1, 2, 1, 4220, 20, 6, 3, 'worker'), (12, 1, 2, 1, 4230, 30, 7, 3, 'worker'), (13, 1, 2, 1, 4240, 40, 8, 3, 'worker');
INSERT INTO call_paths VALUES (11, 2, 11, 2, 2, 'user'), (12, 2, 12, 2, 2, 'user'), (13, 2, 13, 2, 2, 'user');
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, allocation_id, object_offset, cpu_node_id, home_node_id, home_source, waited)
SELECT column1, 1, 2, 1, 1500000000 + column1, 4209 + column1 * 10, 10 + column1, 2, 1, 10 + column1, 1048576 + column1 * 1024, 2, 1000000, 1, 8, 1, 1,
  column1 * 1024, 1, 0, 2, 1
FROM (VALUES (1), (2), (3));
