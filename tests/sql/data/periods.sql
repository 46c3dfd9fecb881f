-- SPDX-License-Identifier: GPL-2.0-or-later
-- Hardware samples by frequency, so that periods vary: 500 remote loads that represent 1,000 accesses each, and 500
-- local stores that represent 100,000 each. Expected results, computed by hand: 0.5 million of 50.5 million accesses
-- are remote, which is 0.990 %. The effective sample size is 50.5e6² / (500e6 + 500e10) = 509.97. Loads have a
-- latency of 300 and stores have none, so all cost is remote.
.read data/program.sql
UPDATE selected_events SET sample_period = NULL, sample_freq = 1000 WHERE id = 3;
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, weight, memory_opcode, object_id, allocation_id, object_offset, cpu_node_id, home_node_id, home_source)
SELECT i, 3, 2, 1, 1500000000 + i, 4210, 3, 2, 1, 3, 1048576 + i % 2 * 8, 1, iif(i % 2, 1000, 100000), iif(i % 2, 300, 0), iif(i % 2, 1, 2),
  1, 1, i % 2 * 8, 1, iif(i % 2, 0, 1), 2
FROM n;
