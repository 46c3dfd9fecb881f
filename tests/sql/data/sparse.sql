-- SPDX-License-Identifier: GPL-2.0-or-later
-- 1,000 samples of each of two arrays of 400 cache lines with 8 elements, so that a line has 2.5 samples on average. Of "field", one thread
-- writes all elements and another reads all. Of "stripes", one thread writes the even elements, and another the odd ones.
-- In both, most lines with samples of both threads have no sample of the same element.
.read data/program.sql
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes) VALUES
  (10, 'field', 'static', 1, 1, 8388608, 25600, 0, 0),
  (11, 'stripes', 'static', 1, 1, 16777216, 25600, 0, 0);
INSERT INTO access_kinds (id, evsel_id, addr_source, memory_opcode, access_bytes) VALUES (1, 3, 1, 1, 8), (2, 3, 1, 2, 8);
INSERT INTO instructions (id, ip) VALUES (1, 4210);
CREATE TEMP TABLE sparse (id, object_id, thread_id, kind_id, element);
WITH RECURSIVE n (i, random) AS (SELECT 1, 48271 UNION ALL SELECT i + 1, random * 48271 % 2147483647 FROM n WHERE i < 2000)
INSERT INTO sparse SELECT i, 10 + i % 2, 1 + i / 2 % 2, 2 - (i % 2 = 0 AND i / 2 % 2), iif(i % 2, random % 3200 / 2 * 2 + i / 2 % 2, random % 3200) FROM n;
INSERT INTO sample_data (id, time, thread_id, cpu, instruction_id, kind_id, address, object_id, object_offset, period)
SELECT s.id, 1500000000 + s.id, s.thread_id, s.thread_id - 1, 1, s.kind_id, o.address_start + 8 * s.element, o.id, 8 * s.element, 1000
FROM sparse AS s
JOIN objects AS o ON o.id = s.object_id;
DROP TABLE sparse;
