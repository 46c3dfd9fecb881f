-- SPDX-License-Identifier: GPL-2.0-or-later
-- According to the objects to which waits were attributed, 63 % of the time was waits for other nodes. But nearly all of
-- these waits may have been for local pages: those of "local", which only threads of the same node use, or the local
-- quarter of "serial". So the lower end is low. Waits of 3 s may have been for "flag", but they change nothing, because
-- "flag" is in the cache. Waits that count as local may have been for the remote part of "serial", so the upper end is
-- 100 %.
.read data/advice.sql
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes)
VALUES (28, 'flag', 'static', 1, 1, 28 << 24, 64, 0, 0);
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited, time_kind, missed)
VALUES (100000, 1, 2, 1, 1900000000, 4210, 3, 2, 1, 3, 28 << 24, 2, 1, 1, 8, 28, 0, 1, 1, 2, 1, 2, 0);
INSERT INTO other_waits (object_id, period) VALUES (20, 3000000000), (28, 3000000000), (26, 1150000000);
