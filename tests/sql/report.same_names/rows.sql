-- SPDX-License-Identifier: GPL-2.0-or-later
-- Objects with the same name: "cells" three times, allocated at one line of a constructor that main calls at two lines, and worker at one;
-- two static variables "count" of two libraries; "buf" twice, which differ only in their size;
-- "data_" twice, allocated at one line of main that calls the inlined constructor twice, so that only the order of their allocations differs.
.read data/program.sql
INSERT INTO dsos VALUES (10, 'liba.so', '/home/liba.so', NULL, 'file', 'ok', 1), (11, 'libb.so', '/home/libb.so', NULL, 'file', 'ok', 1);
INSERT INTO locations VALUES (20, 1, 1, 1, 4150, 54, 11, 3, 'main'), (21, 1, 1, 1, 4160, 64, 12, 3, 'main'), (22, 1, 2, 1, 4250, 50, 22, 3, 'worker'), (23, 1, 1, 1, 4170, 74, 3, 3, 'Grid::Grid'),
  (24, 1, 1, 1, 4180, 84, 5, 3, 'Image::Image'), (25, 1, 1, 1, 4190, 94, 5, 3, 'Image::Image');
INSERT INTO call_paths VALUES (20, 1, 20, 1, 1, 'user'), (21, 1, 21, 1, 1, 'user'), (22, 1, 22, 2, 1, 'user'), (30, 20, 23, 1, 2, 'user'), (31, 21, 23, 1, 2, 'user'), (32, 22, 23, 1, 2, 'user'), (33, 1, 24, 1, 1, 'user'), (34, 1, 25, 1, 1, 'user');
INSERT INTO objects (id, name, kind, dso_id, call_path_id, process_id, address_start, size_bytes, allocations, allocated_bytes, function, file_id, line) VALUES
  (80, 'cells', 'heap', NULL, 30, 1, NULL, 8192, 1, 8192, 'Grid::Grid', 1, 3), (81, 'cells', 'heap', NULL, 31, 1, NULL, 8192, 1, 8192, 'Grid::Grid', 1, 3), (82, 'cells', 'heap', NULL, 32, 1, NULL, 8192, 1, 8192, 'Grid::Grid', 1, 3),
  (87, 'data_', 'heap', NULL, 33, 1, NULL, 4096, 1, 4096, 'Image::Image', 1, 5), (88, 'data_', 'heap', NULL, 34, 1, NULL, 4096, 1, 4096, 'Image::Image', 1, 5),
  (83, 'count', 'static', 10, NULL, 1, 1 << 20, 8, 0, 0, NULL, NULL, NULL), (84, 'count', 'static', 11, NULL, 1, 1 << 21, 8, 0, 0, NULL, NULL, NULL),
  (85, 'buf', 'mapping', NULL, NULL, 1, 1 << 22, 4096, 0, 0, NULL, NULL, NULL), (86, 'buf', 'mapping', NULL, NULL, 1, 1 << 23, 8192, 0, 0, NULL, NULL, NULL);
WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 279)
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited, missed, time_kind)
SELECT 1 + i, 1, 1, 0, 1500000000 + 500000 * i, 4100, 1, 1, 1, 2, (1 << 24) + 64 * i, 2, 1000000, 1, 8, 80 + i % 9, 0, 0, 0, 1, 1, 1, 1
FROM n;
