-- SPDX-License-Identifier: GPL-2.0-or-later
-- Two processes of one thread each write a static variable, as a child does after fork(): each has a page of its own, so they share nothing.
.read data/program.sql
INSERT INTO processes VALUES (2, 1, 200, '/bin/app', 'app -n 3', 1000000000, 3500000000, 1);
UPDATE threads SET process_id = 2 WHERE id = 2;
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited, missed, time_kind)
SELECT value, 1, 1 + value % 2, value % 2, 1500000000 + value * 1000000, 4210, 3, 2, 1, 3, 65536, 2, 1000000, 2, 8, 2, 0, 0, 0, 2, 1,
  iif(value <= 300, NULL, 0), iif(value <= 300, 0, 2)
FROM generate_series(1, 1000);
