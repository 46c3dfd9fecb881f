-- SPDX-License-Identifier: GPL-2.0-or-later
-- Arrays of structs of 128 bytes with samples as follows; only the first three get the hint:
-- items   192 in key and count, which are in different cache lines
-- nodes   200 in key
-- filled  201, one of them in each of the other members, as if a loop had initialised them all
-- used    200, 20 of them in each of two other members
-- near    200 in name, which has most of its line
-- small   200 in key of an array that the second-level cache has room for
-- vague   200 in key, and 30 whose member is not known
-- few     189 in key
-- pairs   200 in r of a complex number: a thread that also uses i does not wait for it
.read data/program.sql
INSERT INTO types VALUES (1, 'struct item', 'struct', 128), (2, 'complex', 'struct', 8);
INSERT INTO members VALUES (1, 1, 'key', 0, 8, 'long'), (2, 1, 'name', 8, 56, 'char[56]'), (3, 1, 'count', 64, 8, 'long'), (4, 1, 'rest', 72, 48, 'char[48]'), (5, 1, NULL, 120, 8, NULL), (6, 2, 'r', 0, 4, 'float'), (7, 2, 'i', 4, 4, 'float');
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes, type_id, type_source, type_start, type_repeats)
SELECT 20 + key, value, 'static', 1, 1, (1 + key) << 30, iif(value = 'small', 1, 8) << 20, 0, 0, iif(value = 'pairs', 2, 1), 'declared', 0, 1 FROM json_each('["items", "nodes", "filled", "near", "small", "vague", "few", "used", "pairs"]');
CREATE TEMP TABLE used (object_id, n, object_offset, source DEFAULT 2);
INSERT INTO used (object_id, n, object_offset) VALUES (20, 96, 0), (20, 96, 64), (21, 200, 0), (22, 198, 0), (22, 1, 8), (22, 1, 64), (22, 1, 72), (23, 200, 8), (24, 200, 0), (25, 200, 0), (26, 189, 0), (27, 160, 0), (27, 20, 8), (27, 20, 72), (28, 200, 0);
INSERT INTO used VALUES (25, 30, 0, 10); -- nearby: the member is not known
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited)
SELECT row_number() OVER (ORDER BY u.rowid, n.value), 1, 1, 0, 1500000000 + (1000 * u.rowid + n.value) * 100000, 4210, 3, 2, 1, 3,
  o.address_start + u.object_offset + 128 * n.value, u.source, 1000000, 1, 8, u.object_id, u.object_offset + 128 * n.value, 0, 0, 2, 1
FROM used AS u
JOIN objects AS o ON o.id = u.object_id
JOIN generate_series(1, 200) AS n ON n.value <= u.n;
DROP TABLE used;
