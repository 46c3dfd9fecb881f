-- SPDX-License-Identifier: GPL-2.0-or-later
-- Object 2 is a pointer named "table", and object 1 is the block to which it points. Line 10 has 140 samples of each.
-- All samples of the block waited, and ten samples of the pointer. `worker` has no sample, but it placed one page of the
-- pointer.
.read report.read_first/rows.sql
UPDATE objects SET name = 'table' WHERE id = 2;
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited, missed, time_kind)
SELECT 200 + value, 1, 1, 0, 1600000000 + value, 4100, 1, 1, 1, 65536, 2, 1000000, 1, 8, 2, 0, 0, 0, 1, 1, value <= 10, iif(value <= 10, 1, 2)
FROM generate_series(1, 140);
INSERT INTO page_faults (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, address, object_id, object_offset,
  memory_opcode, page_bytes, cpu_node_id, home_node_id, home_source, first)
VALUES (2000, 2, 2, 0, 1400000000, 4204, 2, 2, 1, 65536, 2, 0, 2, 4096, 0, 0, 3, 1);
