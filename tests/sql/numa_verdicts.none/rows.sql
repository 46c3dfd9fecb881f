-- SPDX-License-Identifier: GPL-2.0-or-later
-- 90 samples of local loads of 10 cycles and 10 of local loads of 200 cycles from memory; none of remote loads. The
-- period is 100,000, and the program executed 1,000 million instructions. With 100 samples, up to 3.8 remote samples
-- may have been missed by chance. Each would take 2 · 200 cycles, because the distance is 20: 3.8416 · 400 · 100,000 /
-- 1,000,000,000 = 0.154 cycles per instruction. This would be worth fixing. So the upper end must not be 0.054
-- (computed with the mean latency of all samples), and the verdict must not be "not worth it".
.read data/program.sql
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, weight, memory_opcode, memory_level, object_id, allocation_id, object_offset, cpu_node_id, home_node_id, home_source)
SELECT i, 3, 2, 1, 1500000000 + i, 4210, 3, 2, 1, 3, 1048576, 1, 100000, iif(i % 10, 10, 200), 1,
  (SELECT id FROM memory_levels WHERE name = iif(i % 10, 'L1', 'Local RAM')), 1, 1, 0, 1, 1, 2
FROM n;
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, addr_source, period)
VALUES (2001, 4, 2, 1, 1600000000, 4210, 3, 2, 1, 0, 1000000000);
