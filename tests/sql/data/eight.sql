-- SPDX-License-Identifier: GPL-2.0-or-later
-- Eight arrays, each with 100 remote loads of 233 cycles; each sample represents 1,000 loads. 8 · 100 · 233 · 1,000
-- cycles for 400 million instructions are 0.466 cycles per instruction, which is worth fixing. A single array has 0.058
-- cycles per instruction, 12.5 % of the remote latency.
.read data/program.sql
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8)
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes)
SELECT 20 + i, 'array ' || i, 'static', 1, 1, i << 24, 1048576, 0, 0 FROM n;
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 800)
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, weight, memory_opcode, object_id, object_offset, cpu_node_id, home_node_id, home_source)
SELECT i, 3, 2, 1, 1500000000 + i, 4210, 3, 2, 1, 3, (1 + i % 8) << 24, 1, 1000, 233, 1, 21 + i % 8, 0, 1, 0, 2
FROM n;
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, addr_source, period)
VALUES (2001, 4, 2, 1, 1600000000, 4210, 3, 2, 1, 0, 400000000);
