-- SPDX-License-Identifier: GPL-2.0-or-later
-- Three objects that share a cache line, all on node 0. Thread 1 (node 0) writes five times to "left". By turns with
-- thread 1, thread 2 (node 1) writes three times to "right", once to the part of "right" in the next line, and once to
-- "middle". Expected results, computed by hand: the line belongs to "left" and has 9 accesses, 5 of them to "left".
-- These 5 are 100 % of the accesses of "left" (not 180 %). Over all objects, the run used one line from node 0 and two
-- lines from node 1: δ = 2·10 / (3·20) = 0.3333 by line.
.read data/program.sql
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes) VALUES
  (10, 'left', 'static', 1, 1, 8388608, 16, 0, 0),
  (11, 'middle', 'static', 1, 1, 8388624, 16, 0, 0),
  (12, 'right', 'static', 1, 1, 8388640, 64, 0, 0);
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited)
SELECT s.column1, 1, s.column2, s.column2 - 1, 1500000000 + s.column1 * 1000000, 4210, 3, 2, 1, 3, o.address_start + s.column4,
  2, 1000000, 2, 8, o.id, s.column4, s.column2 - 1, 0, 2, 1
FROM (VALUES (1, 1, 10, 0), (2, 2, 12, 0), (3, 1, 10, 0), (4, 2, 12, 0), (5, 1, 10, 8), (6, 2, 12, 0), (7, 1, 10, 0),
  (8, 1, 10, 0), (9, 2, 12, 40), (10, 2, 11, 0)) AS s
JOIN objects AS o ON o.id = s.column3;
