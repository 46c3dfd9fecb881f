-- SPDX-License-Identifier: GPL-2.0-or-later
-- Two threads update one line of "hits" by turns: 160 of 200 samples waited for it. Both threads wait, at different
-- bytes. The other 40 samples are the atomic operation's own time.
.read data/program.sql
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes)
VALUES (90, 'hits', 'static', 1, 1, 1 << 24, 64, 0, 0);
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited, missed, time_kind)
SELECT i, 1, iif(i % 2, 2, 1), i % 2, 1500000000 + 500000 * i, 4210, 3, 2, 1, 3, (1 << 24) + 8 * (i % 2), 2, 1000000, 3, 8, 90, 8 * (i % 2), 0, 0, 1, 1, i % 5 > 0, iif(i % 5, 10, 5)
FROM n;
