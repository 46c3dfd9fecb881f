-- SPDX-License-Identifier: GPL-2.0-or-later
-- 1,000,001 samples, so the drawn ones are stored.
.read data/program.sql
INSERT INTO access_kinds (id, evsel_id, addr_source, memory_opcode, access_bytes) VALUES (1, 1, 2, 1, 8);
INSERT INTO instructions (id, ip) VALUES (1, 4210);
INSERT INTO sample_data (id, time, thread_id, instruction_id, kind_id, address, object_id, object_offset, period, weight)
SELECT value, 1500000000 + value, 1, 1, 1, 4096 + value % 64 * 8, 1, value % 64 * 8, 1000 + value % 7, value FROM generate_series(1, 1000001);
