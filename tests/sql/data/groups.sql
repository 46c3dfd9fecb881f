-- SPDX-License-Identifier: GPL-2.0-or-later
-- Objects of one name: two of one place and kind and one of another kind; three in a namespace; one of which the report has a row and one that is in the row for
-- the rest; and one with and one without samples.
.read data/program.sql
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes, function) VALUES
  (80, 'rows', 'heap', NULL, 1, NULL, 8192, 1, 8192, 'main'), (81, 'rows', 'heap', NULL, 1, NULL, 8192, 1, 8192, 'main'), (82, 'rows', 'static', 1, 1, 1 << 20, 8192, 0, 0, NULL),
  (83, 'ns::pool', 'heap', NULL, 1, NULL, 8192, 1, 8192, 'main'), (84, 'ns::pool', 'heap', NULL, 1, NULL, 8192, 1, 8192, 'main'), (85, 'ns::pool', 'heap', NULL, 1, NULL, 8192, 1, 8192, 'main'),
  (86, 'a::data', 'static', 1, 1, 1 << 21, 8192, 0, 0, NULL), (87, 'c::idle', 'static', 1, 1, 1 << 22, 8192, 0, 0, NULL),
  (88, 'b::data', 'static', 1, 1, 1 << 23, 8192, 0, 0, NULL), (89, 'other', 'static', 1, 1, 3 << 22, 8192, 0, 0, NULL), (90, 'd::idle', 'static', 1, 1, 7 << 21, 8192, 0, 0, NULL);
WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 803)
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited, missed, time_kind)
SELECT 1 + i, 1, 1, 0, 1500000000 + 500000 * i, 4100, 1, 1, 1, 2, (1 << 24) + 64 * i, 2, 1000000, 1, 8,
  CASE WHEN i < 200 THEN 80 + i % 2 WHEN i < 380 THEN 82 WHEN i < 540 THEN 83 + i % 3 WHEN i < 680 THEN 86 WHEN i < 800 THEN 87 WHEN i < 802 THEN 88 ELSE 89 END, 0, 0, 0, 1, 1, 1, 1
FROM n;
