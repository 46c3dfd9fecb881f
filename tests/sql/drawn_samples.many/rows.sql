-- SPDX-License-Identifier: GPL-2.0-or-later
-- 100,000 samples of a loop of four accesses, of which the last is to object 1. One in four samples is drawn. If
-- this were always the fourth, all drawn samples would be of the same access.
.read data/program.sql
INSERT INTO access_kinds (id, evsel_id, addr_source, memory_opcode, access_bytes) VALUES (1, 1, 2, 1, 8);
INSERT INTO instructions (id, ip) VALUES (1, 4210);
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
INSERT INTO sample_data (id, time, thread_id, instruction_id, kind_id, address, object_id, object_offset, period)
SELECT i, 1500000000 + i, 1, 1, 1, 4096 + i % 4 * 8, 1 + (i % 4 > 0), i % 4 * 8, 1000 FROM n;
