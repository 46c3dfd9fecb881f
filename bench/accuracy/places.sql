-- SPDX-License-Identifier: GPL-2.0-or-later
-- Writes which instruction of :code (a JSON list of the program and its libraries) accessed which places to the table accesses of the database places, for addresses.sql. The
-- database main has all accesses, as the sampler exact counted them.
CREATE TABLE places.accesses AS
SELECT DISTINCT
  t.number AS thread, trim(a.dso, '[]') AS dso, coalesce(a.symbol, '') AS symbol, iif(a.object_kind = 'stack', '[stack]', a.object || ' ' || a.object_kind) AS object,
  iif(a.object_kind = 'stack', a.address, a.object_offset + (a.address - a.object_offset) % 16) / 16 AS place,
  l.offset AS instruction
FROM access_samples AS a
JOIN samples AS s ON s.id = a.sample_id
JOIN locations AS l ON l.id = s.location_id
JOIN (SELECT id, row_number() OVER (ORDER BY tid) AS number FROM threads WHERE id IN (SELECT thread_id FROM access_samples)) AS t ON t.id = a.thread_id
WHERE trim(a.dso, '[]') IN (SELECT value FROM json_each(:code)) AND a.address IS NOT NULL;

CREATE INDEX places.by_place ON accesses (object, place, dso, symbol, instruction);
CREATE INDEX places.by_instruction ON accesses (dso, instruction);
