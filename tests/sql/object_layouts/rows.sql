-- SPDX-License-Identifier: GPL-2.0-or-later
-- Two threads on two CPUs use objects at the same time, 10 samples for each row below:
-- ring      thread 1 writes head and seen.count, and thread 2 writes tail. Both read limit and write lock. The layout has four parts of 64
--           bytes, and data stays at the end. Thread 1 wrote name before thread 2 used it, so name joins the other members of thread 1.
-- counter   an array with an element for each thread: pad each element
-- stripes   each thread writes every other of 16 numbers: too many to pad
-- total     both threads write each of its members, so no layout helps
-- handed    thread 1 writes, and thread 2 writes after that
-- pool      both threads read table, which thread 1 initialised. Thread 1 writes early before thread 2 starts, and thread 2 maybe writes
--           doubt: neither may be in a line with table. The elements of per_thread stay together. No sample shows text, which is a part of its own.
-- guard     the union lock stays together, although both threads write one word of it and only thread 1 writes another. Its last
--           bytes belong to only one of its members
-- lost      thread 2 may have reached ip by another path, so it is not known to write
.read data/program.sql
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes, type_id, type_source, type_start, type_repeats) VALUES
  (20, 'ring', 'static', 1, 1, 1 << 20, 72, 0, 0, 1, 'declared', 0, 1),
  (21, 'counter', 'static', 1, 1, 2 << 20, 48, 0, 0, 2, 'declared', 0, 1),
  (22, 'stripes', 'static', 1, 1, 3 << 20, 128, 0, 0, 3, 'declared', 0, 1),
  (23, 'total', 'static', 1, 1, 4 << 20, 24, 0, 0, 2, 'declared', 0, 1),
  (24, 'handed', 'static', 1, 1, 5 << 20, 24, 0, 0, 2, 'declared', 0, 1),
  (25, 'lost', 'static', 1, 1, 6 << 20, 24, 0, 0, 2, 'declared', 0, 1),
  (26, 'pool', 'static', 1, 1, 7 << 20, 64, 0, 0, 4, 'declared', 0, 1),
  (27, 'guard', 'static', 1, 1, 8 << 20, 40, 0, 0, 5, 'declared', 0, 1);
INSERT INTO types VALUES (1, 'struct ring', 'struct', 72), (2, 'struct stats', 'struct', 24), (3, 'long', 'scalar', 8), (4, 'struct pool', 'struct', 64), (5, 'struct guard', 'struct', 40);
INSERT INTO members VALUES
  (1, 1, 'head', 0, 8, 'long'), (2, 1, 'tail', 8, 8, 'long'), (3, 1, 'name', 16, 4, 'int'), (4, 1, NULL, 20, 4, NULL),
  (5, 1, 'seen.first', 24, 8, 'long'), (6, 1, 'seen.count', 32, 8, 'long'), (7, 1, 'lock', 40, 4, 'int'), (8, 1, NULL, 44, 4, NULL),
  (9, 1, 'limit', 48, 8, 'double'), (10, 1, 'data', 56, 0, 'char[]'),
  (11, 2, 'hits', 0, 8, 'long'), (12, 2, 'misses', 8, 8, 'long'), (13, 2, 'name', 16, 8, 'char *'), (14, 3, '', 0, 8, 'long'),
  (15, 4, 'text', 0, 8, 'char *'), (16, 4, 'early', 8, 8, 'long'), (17, 4, 'doubt', 16, 8, 'long'), (18, 4, 'per_thread[0].lines', 24, 8, 'long'),
  (19, 4, 'per_thread[0].hits', 32, 8, 'long'), (20, 4, 'per_thread[1].lines', 40, 8, 'long'), (21, 4, 'per_thread[1].hits', 48, 8, 'long'), (22, 4, 'table', 56, 8, 'long'),
  (23, 5, 'q.lock.data.word|q.lock.bytes', 0, 8, 'long'), (24, 5, 'q.lock.bytes|q.lock.data.owner', 8, 8, 'char[]'), (25, 5, 'q.lock.bytes', 16, 8, 'char[]'), (26, 5, 'q.left', 24, 8, 'long'), (27, 5, 'q.right', 32, 8, 'long');
CREATE TEMP TABLE used (object_id, thread_id, object_offset, opcode, source DEFAULT 2, start DEFAULT 0);
INSERT INTO used (object_id, thread_id, object_offset, opcode) VALUES
  (20, 1, 0, 2), (20, 1, 32, 2), (20, 2, 8, 2), (20, 1, 40, 2), (20, 2, 40, 2), (20, 1, 48, 1), (20, 2, 48, 1),
  (21, 1, 0, 2), (21, 1, 8, 2), (21, 2, 24, 2), (21, 2, 32, 2), (21, 1, 16, 1),
  (23, 1, 0, 2), (23, 2, 0, 2), (23, 1, 8, 2), (23, 2, 8, 2), (23, 1, 16, 2), (23, 2, 16, 2);
INSERT INTO used SELECT 22, 1 + value % 2, 8 * value, 2, 2, 0 FROM generate_series(0, 15);
INSERT INTO used VALUES
  (26, 1, 8, 2, 2, -100000000), (26, 1, 56, 2, 2, -100000000), (26, 1, 56, 1, 2, 0), (26, 2, 56, 1, 2, 0), (26, 2, 16, 2, 8, 0), (26, 1, 24, 2, 8, 0),
  (27, 1, 0, 2, 2, 0), (27, 2, 0, 2, 2, 0), (27, 1, 8, 2, 2, 0), (27, 2, 24, 2, 2, 0), (27, 1, 32, 2, 2, 0),
  (26, 1, 32, 2, 2, 0), (26, 2, 40, 2, 2, 0), (26, 2, 48, 2, 2, 0), (20, 1, 16, 2, 2, -100000000), (24, 1, 0, 2, 2, 0), (24, 1, 8, 2, 2, 0), (24, 2, 16, 2, 2, 100000000), (24, 2, 8, 1, 2, 100000000),
  (25, 1, 0, 2, 2, 0), (25, 1, 8, 2, 2, 0), (25, 1, 16, 2, 2, 0), (25, 2, 0, 2, 8, 0), (25, 2, 8, 2, 8, 0), (25, 2, 16, 2, 8, 0);
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited)
SELECT row_number() OVER (ORDER BY u.start, n.value, u.rowid), 1, u.thread_id, u.thread_id - 1, 1500000000 + u.start + n.value * 1000000, 4210, 3, 2, 1, 3,
  o.address_start + u.object_offset, u.source, 1000000, u.opcode, 8, u.object_id, u.object_offset, u.thread_id - 1, 0, 2, 1
FROM used AS u, generate_series(1, 10) AS n
JOIN objects AS o ON o.id = u.object_id;
DROP TABLE used;
