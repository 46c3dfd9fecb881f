-- SPDX-License-Identifier: GPL-2.0-or-later
-- Two PEBS events with the period 1,000: 60 remote loads of 300 cycles, and 1,000 remote stores without a latency.
-- 500 million instructions were counted. Eq. 3 is computed per event: 300 · 60,000 / 500,000,000 = 0.036 for the
-- loads and nothing for the stores. It must not be 300 · 1,060,000 / 500,000,000 = 0.636.
.read data/program.sql
INSERT INTO selected_events VALUES (5, 'cpu/mem-stores/', 'access', 4, 33488, 0, 1000, NULL, 'cpu', NULL);
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1060)
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, weight, memory_opcode, object_id, allocation_id, object_offset, cpu_node_id, home_node_id, home_source)
SELECT i, iif(i <= 60, 3, 5), 2, 1, 1500000000 + i, 4210, 3, 2, 1, 3, 1048576, 1, 1000, iif(i <= 60, 300, 0), iif(i <= 60, 1, 2), 1, 1, 0, 1, 0, 2
FROM n;
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, addr_source, period)
VALUES (2001, 4, 2, 1, 1600000000, 4210, 3, 2, 1, 0, 500000000);
