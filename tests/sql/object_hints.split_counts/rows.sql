-- SPDX-License-Identifier: GPL-2.0-or-later
-- As in counts.sql, and six counts of a million accesses each to two of four members of a large array of structs: the hint has accesses, not counts.
.read data/counts.sql
INSERT INTO types VALUES (1, 'struct item', 'struct', 128);
INSERT INTO members VALUES (1, 1, 'key', 0, 8, 'long'), (2, 1, 'name', 8, 56, 'char[56]'), (3, 1, 'count', 64, 8, 'long'), (4, 1, 'rest', 72, 56, 'char[56]');
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes, type_id, type_source, type_start, type_repeats)
VALUES (20, 'items', 'static', 1, 1, 1 << 30, 8 << 20, 0, 0, 1, 'declared', 0, 1);
INSERT INTO sample_data (id, time, thread_id, instruction_id, kind_id, address, object_id, object_offset, period)
SELECT 200020 + value, 2300000000 + value, 1, 1, 2, (1 << 30) + 128 * value + 64 * (value / 4), 20, 128 * value + 64 * (value / 4), 1000000 FROM generate_series(0, 5);
