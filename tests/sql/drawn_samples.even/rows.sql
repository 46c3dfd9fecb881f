-- SPDX-License-Identifier: GPL-2.0-or-later
-- Every access was counted, and no count is large: "table" has 150,000 accesses, in 100,000 counts of 1 or 2.
.read data/program.sql
UPDATE runs SET sampler = 'exact';
UPDATE selected_events SET sample_period = 1 WHERE id = 3;
INSERT INTO access_kinds (id, evsel_id, addr_source, memory_opcode, access_bytes) VALUES (1, 3, 1, 2, 8);
INSERT INTO instructions (id, ip) VALUES (1, 4210);
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
INSERT INTO sample_data (id, time, thread_id, instruction_id, kind_id, address, object_id, object_offset, period)
SELECT i, 1500000000 + i, 1, 1, 1, 1048576 + i % 1024 * 8, 1, i % 1024 * 8, 1 + i % 2 FROM n;
