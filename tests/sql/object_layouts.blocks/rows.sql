-- SPDX-License-Identifier: GPL-2.0-or-later
-- Two threads on two CPUs use heap blocks, 20 samples for each row below:
-- before, after  two blocks that are at one address, one after the other: they never share a line, so no layout helps
-- early, late    blocks of 24 bytes next to each other, each written by one thread and read by the other; early was freed before late was used
-- left, right    blocks of 24 bytes next to each other, one for each thread
-- room           one struct in a block of 1024 bytes: the size of an element is known, but not that of the block
-- list           the same struct, but the second element is used, too: so it is an array
-- mixed          a union and a pointer to arrays: each is aligned to its size
-- nested         in.text and in.sum take 20 bytes together, so next follows at offset 20; in2 ends with 4 bytes of padding
.read data/program.sql
INSERT INTO types VALUES (1, 'struct pair', 'struct', 24), (2, 'struct outer', 'struct', 48), (3, 'struct mixed', 'struct', 24);
INSERT INTO members VALUES
  (1, 1, 'first', 0, 8, 'long'), (2, 1, 'second', 8, 8, 'long'), (3, 1, 'third', 16, 8, 'long'), (4, 2, 'in.text', 0, 16, 'char[16]'), (5, 2, 'in.sum', 16, 4, 'int'),
  (6, 2, 'next', 20, 4, 'int'), (7, 2, 'in2.start', 24, 8, 'long'), (8, 2, 'in2.count', 32, 4, 'int'), (9, 2, NULL, 36, 4, NULL), (10, 2, 'other', 40, 4, 'int'),
  (11, 2, 'last', 44, 4, 'int'), (12, 3, 'text|number', 0, 8, 'char[8]'), (13, 3, 'rows', 8, 8, 'int (*)[4]'), (14, 3, 'flag', 16, 4, 'int'), (15, 3, 'last', 20, 4, 'int');
INSERT INTO objects (id, name, kind, dso_id, process_id, size_bytes, allocations, allocated_bytes, type_id, type_source, type_start, type_repeats) VALUES
  (20, 'before', 'heap', 1, 1, 24, 100, 2400, 1, 'cast', 0, 1),
  (21, 'after', 'heap', 1, 1, 24, 100, 2400, 1, 'cast', 0, 1),
  (22, 'left', 'heap', 1, 1, 24, 1, 24, 1, 'cast', 0, 1),
  (23, 'right', 'heap', 1, 1, 24, 1, 24, 1, 'cast', 0, 1),
  (24, 'room', 'heap', 1, 1, 1024, 1, 1024, 1, 'cast', 0, 1),
  (25, 'list', 'heap', 1, 1, 1024, 1, 1024, 1, 'cast', 0, 1),
  (26, 'nested', 'heap', 1, 1, 48, 1, 48, 2, 'cast', 0, 1),
  (27, 'mixed', 'heap', 1, 1, 24, 1, 24, 3, 'cast', 0, 1),
  (28, 'early', 'heap', 1, 1, 24, 1, 24, 1, 'cast', 0, 1),
  (29, 'late', 'heap', 1, 1, 24, 1, 24, 1, 'cast', 0, 1);
CREATE TEMP TABLE used (object_id, block, thread_id, object_offset, turns DEFAULT 0, opcode DEFAULT 2, start DEFAULT 0); -- turns 1: the thread uses the block only while the other thread does not. start: ms
INSERT INTO used (object_id, block, thread_id, object_offset, turns) VALUES
  (20, 1 << 20, 1, 0, 1), (20, 1 << 20, 1, 8, 1), (20, 1 << 20, 1, 16, 1), (21, 1 << 20, 2, 0, 1), (21, 1 << 20, 2, 8, 1), (21, 1 << 20, 2, 16, 1),
  (22, 2 << 20, 1, 0, 0), (22, 2 << 20, 1, 8, 0), (22, 2 << 20, 1, 16, 0), (23, (2 << 20) + 32, 2, 0, 0), (23, (2 << 20) + 32, 2, 8, 0), (23, (2 << 20) + 32, 2, 16, 0),
  (24, 3 << 20, 1, 0, 0), (24, 3 << 20, 2, 8, 0), (24, 3 << 20, 1, 16, 0),
  (25, 4 << 20, 1, 0, 0), (25, 4 << 20, 2, 8, 0), (25, 4 << 20, 1, 16, 0), (25, 4 << 20, 1, 24, 0),
  (26, 5 << 20, 1, 0, 0), (26, 5 << 20, 1, 16, 0), (26, 5 << 20, 1, 20, 0), (26, 5 << 20, 1, 24, 0), (26, 5 << 20, 1, 32, 0), (26, 5 << 20, 1, 40, 0), (26, 5 << 20, 2, 44, 0),
  (27, 6 << 20, 1, 0, 0), (27, 6 << 20, 1, 8, 0), (27, 6 << 20, 1, 16, 0), (27, 6 << 20, 2, 20, 0);
INSERT INTO used
SELECT 28 + late, (7 << 20) + 32 * late, 1 + thread, 0, 0, iif(thread = late, 2, 1), 100 * late + 20 * part
FROM (SELECT value AS late FROM generate_series(0, 1)), (SELECT value AS thread FROM generate_series(0, 1)), (SELECT value AS part FROM generate_series(0, 1));
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited)
SELECT row_number() OVER (ORDER BY n.value, u.rowid), 1, u.thread_id, u.thread_id - 1, 1500000000 + (u.start + n.value * (1 + u.turns) + u.turns * u.thread_id) * 1000000, 4210, 3, 2, 1, 3,
  u.block + u.object_offset, 2, 1000000, u.opcode, 4, u.object_id, u.object_offset, u.thread_id - 1, 0, 2, 1
FROM used AS u, generate_series(1, 20) AS n;
DROP TABLE used;
