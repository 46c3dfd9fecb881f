-- SPDX-License-Identifier: GPL-2.0-or-later
-- Samples of loops with large steps; only the first two objects get the hint:
-- matrix   100 samples, each in another column, with a step of 8192 bytes
-- back     100 samples that walk backwards, 90 with this step and 10 without
-- structs  100 samples in one member of structs of 8192 bytes
-- cyclic   200 samples of four threads, each in a column of its own: each thread takes every fourth of an array's structs of 2048 bytes
-- linear   100 samples with a step of 8 bytes
-- cached   as matrix, but the second-level cache has room for the array
-- few      49 samples as in matrix
-- part     100 samples, 49 of them as in matrix, and the others without a step
-- unknown  100 samples without a step
.read data/program.sql
INSERT INTO threads VALUES (3, 1, 100, 102, 'worker', 1100000000, 3400000000), (4, 1, 100, 103, 'worker', 1100000000, 3400000000);
CREATE TEMP TABLE walks (name, n, step, column_bytes, bytes DEFAULT (64 << 20), thread DEFAULT 1);
INSERT INTO walks (name, n, step, column_bytes) VALUES ('matrix', 100, 8192, 8), ('back', 90, -8192, 8), ('back', 10, NULL, 8), ('structs', 100, 8192, 0), ('linear', 100, 8, 8);
INSERT INTO walks (name, n, step, column_bytes) VALUES ('few', 49, 8192, 8), ('part', 49, 8192, 8), ('part', 51, NULL, 8), ('unknown', 100, NULL, 8);
INSERT INTO walks VALUES ('cached', 100, 8192, 8, 1 << 19, 1);
INSERT INTO walks SELECT 'cyclic', 50, 8192, 0, 64 << 20, value FROM generate_series(1, 4);
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes)
SELECT 19 + row_number() OVER (ORDER BY min(rowid)), name, 'static', 1, 1, min(rowid) << 30, max(bytes), 0, 0 FROM walks GROUP BY name;
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, step, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited)
SELECT row_number() OVER (ORDER BY w.rowid, w.value), 1, w.thread, 0, 1500000000 + (1000 * w.rowid + w.value) * 100000, 4210, 3, 2, 1, 3,
  o.address_start + w.at, 2, 1000000, 1, 8, w.step, o.id, w.at, 0, 0, 2, 1
FROM (SELECT w.*, w.rowid, n.value, ((8192 + w.column_bytes) * n.value + 2048 * (w.thread - 1)) % w.bytes AS at FROM walks AS w JOIN generate_series(1, 100) AS n ON n.value <= w.n) AS w
JOIN objects AS o ON o.name = w.name;
DROP TABLE walks;
