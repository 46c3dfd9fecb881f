-- SPDX-License-Identifier: GPL-2.0-or-later
-- 200 samples each of one loop; only the first three objects get the hint:
-- scattered  each sample anywhere in 64 MiB, in pages of the system's size
-- rows       as scattered, but each loop has a step of 8 bytes: it reads a short row that may be anywhere
-- parts      the first 100 samples as scattered, the others in order by a second instruction: the hint is for the former
-- seldom     as parts, but only the first 60, each of a longer time
-- stream     each sample 5 MiB after the one before, in a circle: a thread walks through the object again and again
-- visits     a thread reads the object in order, but most samples are long after the one before: only successive ones are in order
-- rare       as scattered, but between two samples a thread could have read the object from its begin to its end
-- near       samples anywhere in one MiB of 64, which moves: a thread works block by block
-- huge       as scattered, but page faults placed it in pages of 2 MiB
-- unplaced   as scattered, but no page fault placed it
-- small      as scattered, in 8 MiB
-- few        as scattered, but only 49 samples, each of a longer time
.read data/program.sql
CREATE TEMP TABLE loops (name, n DEFAULT 200, kind DEFAULT 'scattered', step, bytes DEFAULT (64 << 20), pages DEFAULT 4096, delay DEFAULT 1, scattered DEFAULT 100);
INSERT INTO loops (name) VALUES ('scattered'), ('rows'), ('parts'), ('stream'), ('visits'), ('rare'), ('near'), ('huge'), ('unplaced'), ('small'), ('few'), ('seldom');
UPDATE loops SET kind = name WHERE name IN ('parts', 'stream', 'visits', 'near');
UPDATE loops SET kind = 'parts', scattered = 60 WHERE name = 'seldom';
UPDATE loops SET step = 8 WHERE name = 'rows';
UPDATE loops SET delay = 100 WHERE name IN ('visits', 'rare');
UPDATE loops SET pages = 2 << 20 WHERE name = 'huge';
UPDATE loops SET pages = NULL WHERE name = 'unplaced';
UPDATE loops SET bytes = 8 << 20 WHERE name = 'small';
UPDATE loops SET n = 49 WHERE name = 'few';
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes)
SELECT 19 + rowid, name, iif(name = 'rows', 'static', 'heap'), 1, 1, rowid << 30, bytes, 1, bytes FROM loops;
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, step, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited)
SELECT row_number() OVER (ORDER BY w.rowid, w.value), 1, 1, 0, 1500000000 + (1000 * w.rowid + iif(w.kind = 'visits' AND w.value % 4 = 0, (w.value - 1) * w.delay + 1, w.value * w.delay)) * 100000, 4210 + 2 * (w.kind = 'parts' AND w.value > w.scattered), 3, 2, 1, 3,
  o.address_start + w.at, 2, CASE w.name WHEN 'parts' THEN 2 WHEN 'few' THEN 4 WHEN 'seldom' THEN 3 ELSE 1 END * 1000000, 1, 8, w.step, o.id, w.at, 0, 0, 2, 1
FROM (
  SELECT l.*, l.rowid, n.value,
    CASE l.kind
      WHEN 'scattered' THEN ((n.value * n.value * 2654435761 >> 9) % (l.bytes >> 12)) << 12
      WHEN 'parts' THEN iif(n.value > l.scattered, (n.value * 5 << 20) % l.bytes, ((n.value * n.value * 2654435761 >> 9) % (l.bytes >> 12)) << 12)
      WHEN 'visits' THEN (((n.value - (n.value % 4 = 0)) * (n.value - (n.value % 4 = 0)) * 2654435761 >> 9) % 64 + 5 * (n.value % 4 = 0) << 20) % l.bytes
      WHEN 'stream' THEN (n.value * 5 << 20) % l.bytes
      ELSE (n.value / 4 << 20) + (((n.value * n.value * 2654435761 >> 9) % 256) << 12)
    END AS at
  FROM loops AS l
  JOIN generate_series(1, 200) AS n ON n.value <= l.n
) AS w
JOIN objects AS o ON o.name = w.name;
INSERT INTO page_faults (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  object_id, object_reason, object_offset, cpu_node_id, home_node_id, home_source, first, page_bytes)
SELECT row_number() OVER (ORDER BY l.rowid, n.value), 2, 1, 0, 1261000000 + n.value, 4100, 1, 1, 1, 2, (l.rowid << 30) + n.value * l.pages,
  19 + l.rowid, NULL, n.value * l.pages, 0, 0, 3, 1, nullif(l.pages, 4096)
FROM loops AS l
JOIN generate_series(0, 16383) AS n ON n.value * l.pages < l.bytes;
DROP TABLE loops;
