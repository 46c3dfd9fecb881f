-- SPDX-License-Identifier: GPL-2.0-or-later
-- Checks the decoded addresses of samples of time (database main) against all accesses (database every, which places.sql made),
-- both in the code of :program. Addresses differ between runs, so an address is a place: the object (its name and
-- kind) and the number of the 16 bytes in the block or variable, which is what the counts distinguish. The stack of a thread
-- begins at another address in the emulator, so all its addresses are moved by the same distance: the most frequent one.
-- An address is seen if the same function accessed the same place. If the instruction before ip made the access, the
-- instruction is known, and must be the same, too; for the other addresses, the database does not say which instruction it was.
-- Returns one row: addressed samples, those of them in an object, those that are seen, those with a known instruction, and those
-- of the latter that are seen at this instruction.
CREATE TEMP TABLE decoded AS
SELECT
  t.number AS thread, coalesce(a.symbol, '') AS symbol, iif(a.object_kind = 'stack', '[stack]', a.object || ' ' || a.object_kind) AS object,
  iif(a.object_kind = 'stack', a.address, a.object_offset + (a.address - a.object_offset) % 16) / 16 AS place,
  -- the location is the last byte of the instruction before ip, or ip itself if that instruction is not certain
  iif(a.address_source = 'retired' AND (l.offset - s.ip) % 4096 <> 0, l.offset, NULL) AS last_byte
FROM access_samples AS a
JOIN samples AS s ON s.id = a.sample_id
LEFT JOIN locations AS l ON l.id = s.location_id
JOIN (SELECT id, row_number() OVER (ORDER BY tid) AS number FROM threads WHERE id IN (SELECT thread_id FROM access_samples)) AS t ON t.id = a.thread_id
WHERE a.dso IN (:program, '[' || :program || ']') AND a.address IS NOT NULL;

CREATE TEMP TABLE moved AS -- max(): SQLite takes distance from the row with the largest number
SELECT thread, distance, max(n) AS n
FROM (
  SELECT d.thread AS thread, d.place - x.place AS distance, count(*) AS n
  FROM decoded AS d
  JOIN (SELECT DISTINCT thread, symbol, place FROM every.accesses WHERE object = '[stack]') AS x USING (thread, symbol)
  WHERE d.object = '[stack]'
  GROUP BY 1, 2
)
GROUP BY thread;

UPDATE decoded SET place = place - (SELECT distance FROM moved AS m WHERE m.thread = decoded.thread) WHERE object = '[stack]';

CREATE TEMP TABLE judged AS
SELECT
  d.*,
  EXISTS (SELECT 1 FROM every.accesses AS x WHERE x.object = d.object AND x.place = d.place AND x.symbol = d.symbol) AS seen,
  EXISTS (
    SELECT 1
    FROM every.accesses AS x
    WHERE x.object = d.object AND x.place = d.place AND x.symbol = d.symbol
      AND x.instruction = (SELECT max(y.instruction) FROM every.accesses AS y WHERE y.instruction <= d.last_byte)
  ) AS same
FROM decoded AS d;

SELECT count(*), count(object), sum(seen), count(last_byte), sum(last_byte IS NOT NULL AND same)
FROM judged;
