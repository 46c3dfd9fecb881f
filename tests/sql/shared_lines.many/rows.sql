-- SPDX-License-Identifier: GPL-2.0-or-later
-- 65,536 waits of 1 ms, so many that memdb draws one in two. For half of the time, two threads write to
-- one line in turn. The cost of that line must be half of all cost, and not a quarter because half of the samples
-- are not drawn.
.read data/program.sql
INSERT INTO access_kinds (id, evsel_id, addr_source, memory_opcode, access_bytes, waited) VALUES (1, 1, 2, 2, 8, 1);
INSERT INTO instructions (id, ip) VALUES (1, 4210);
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 65536)
INSERT INTO sample_data (id, time, thread_id, instruction_id, kind_id, address, object_id, object_offset, period)
SELECT i, 1500000000 + i, 1 + i / 2 % 2, 1, 1, iif(i / 4 % 2, 8388608, 16777216 + i * 64), 1, 0, 1000000 FROM n;
