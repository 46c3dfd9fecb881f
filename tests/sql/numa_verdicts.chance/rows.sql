-- SPDX-License-Identifier: GPL-2.0-or-later
-- 60 samples of local loads of 10 cycles and 1 sample of a remote load of 400 cycles, each with the period 1,000. The program
-- executed 2 million instructions. Eq. 3 gives 400 · 1,000 / 2,000,000 = 0.2, twice the threshold. But only one sample shows
-- it: the interval is 0.061 to 0.658, so there is no verdict.
.read data/program.sql
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 61)
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, weight, memory_opcode, object_id, allocation_id, object_offset, cpu_node_id, home_node_id, home_source)
SELECT i, 3, 2, 1, 1500000000 + i, 4210, 3, 2, 1, 3, 1048576, 1, 1000, iif(i = 61, 400, 10), 1, 1, 1, 0, 1, i < 61, 2
FROM n;
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, addr_source, period)
VALUES (2001, 4, 2, 1, 1600000000, 4210, 3, 2, 1, 0, 2000000);
