-- SPDX-License-Identifier: GPL-2.0-or-later
-- Checks the decoded addresses of samples of time (database main) against all accesses (database every, which places.sql made),
-- both in :code (a JSON list of the program and its libraries). Addresses differ between runs, so an address is a place: the object (its name and
-- kind) and the number of the 16 bytes in the block or variable, which is what the counts distinguish. The stack of a thread
-- begins at another address in the emulator, so all its addresses are moved by the same distance. Each sample
-- votes for the distances to the places that its instruction accessed (if that is not known, its function); its votes are one together.
-- An address is seen if the same function accessed the same place. If the instruction before ip made the access, the
-- instruction is known, and must be the same, too; for the other addresses, the database does not say which instruction it was.
-- Returns one row: addressed samples, those of them in an object, those that are seen, those with a known instruction, and those
-- of the latter that are seen at this instruction.
CREATE TEMP TABLE decoded AS
SELECT
  t.number AS thread, trim(a.dso, '[]') AS dso, coalesce(a.symbol, '') AS symbol, iif(a.object_kind = 'stack', '[stack]', a.object || ' ' || a.object_kind) AS object,
  iif(a.object_kind = 'stack', a.address, a.object_offset + (a.address - a.object_offset) % 16) / 16 AS place,
  -- the location is the last byte of the instruction before ip, or ip itself if that instruction is not certain
  iif(a.address_source = 'retired' AND (l.offset - s.ip) % 4096 <> 0, l.offset, NULL) AS last_byte, NULL AS instruction
FROM access_samples AS a
JOIN samples AS s ON s.id = a.sample_id
LEFT JOIN locations AS l ON l.id = s.location_id
JOIN (SELECT id, row_number() OVER (ORDER BY tid) AS number FROM threads WHERE id IN (SELECT thread_id FROM access_samples)) AS t ON t.id = a.thread_id
WHERE trim(a.dso, '[]') IN (SELECT value FROM json_each(:code)) AND a.address IS NOT NULL;

UPDATE decoded SET instruction = (SELECT max(y.instruction) FROM every.accesses AS y WHERE y.dso = decoded.dso AND y.instruction <= decoded.last_byte)
WHERE last_byte IS NOT NULL;

CREATE TEMP TABLE moved AS -- max(): SQLite takes distance from the row with the largest number
SELECT thread, distance, max(votes)
FROM (
  SELECT thread, distance, sum(vote) AS votes
  FROM (
    SELECT thread, distance, 1.0 / count(*) OVER (PARTITION BY sample) AS vote
    FROM (
      SELECT DISTINCT d.rowid AS sample, d.thread AS thread, d.place - x.place AS distance
      FROM decoded AS d
      JOIN every.accesses AS x USING (thread, dso, symbol)
      WHERE d.object = '[stack]' AND x.object = '[stack]' AND coalesce(x.instruction = d.instruction, 1)
    )
  )
  GROUP BY 1, 2
)
GROUP BY thread;

UPDATE decoded SET place = place - (SELECT distance FROM moved AS m WHERE m.thread = decoded.thread) WHERE object = '[stack]';

CREATE TEMP TABLE judged AS
SELECT
  d.*,
  EXISTS (SELECT 1 FROM every.accesses AS x WHERE x.object = d.object AND x.place = d.place AND x.dso = d.dso AND x.symbol = d.symbol) AS seen,
  EXISTS (
    SELECT 1
    FROM every.accesses AS x
    WHERE x.object = d.object AND x.place = d.place AND x.dso = d.dso AND x.symbol = d.symbol AND x.instruction = d.instruction
  ) AS same
FROM decoded AS d;

SELECT count(*), count(object), sum(seen), count(last_byte), sum(last_byte IS NOT NULL AND same)
FROM judged;
