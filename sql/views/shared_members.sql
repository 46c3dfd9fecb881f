-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW shared_members AS
-- view:    shared_members
-- summary: Who reads and who writes which member in the cache lines that several threads use at a time while one writes.
-- grain:   one row per process, cache line of 64 bytes and member in it that was drawn
-- note:    from drawn_samples, as shared_lines; without a type the place is the object and an offset, bytes
-- note:    an access that crosses into the next line counts in the line in which it starts
WITH
  lines AS MATERIALIZED (SELECT process_id, address, sharing FROM shared_lines WHERE together),
  used AS (
    SELECT
      l.process_id AS process_id, l.address AS address, l.sharing AS sharing, s.object_id AS object_id, s.address - l.address AS byte,
      coalesce(iif(m.id, member_name(o, t, m, element_at(o, t, s.object_offset)), NULL), o.name || '+' || s.object_offset, '[no object]') AS place,
      s.stores AS stores, h.tid AS tid
    FROM lines AS l
    JOIN drawn_samples AS s ON s.process_id IS l.process_id AND s.address & -64 = l.address
    LEFT JOIN threads AS h ON h.id = s.thread_id
    LEFT JOIN objects AS o ON o.id = s.object_id
    LEFT JOIN types AS t ON t.id = o.type_id
    LEFT JOIN members AS m ON m.id = member_at(o, t, s.object_offset)
    ORDER BY tid
  )
SELECT
  process_id AS process_id,       -- processes.id; NULL: not known
  address AS address,             -- first byte of the line
  sharing AS sharing,             -- "true", "false": of the line
  min(byte) AS byte,              -- first byte of the line that was accessed there
  object_id AS object_id,         -- objects.id; NULL: no object
  place AS place,                 -- the member, as "counters[3].hits"
  count(*) AS drawn,              -- drawn samples (count)
  sum(stores) AS stores,          -- of these, that write (count)
  count(DISTINCT tid) AS threads, -- threads that use it (count)
  count(DISTINCT iif(stores, tid, NULL)) AS writers, -- threads that write it (count)
  group_concat(DISTINCT iif(stores, tid, NULL)) AS written_by, -- these threads (tid, separated by commas); NULL: none
  group_concat(DISTINCT iif(stores, NULL, tid)) AS read_by -- threads with a sample that does not write; NULL: none
FROM used
GROUP BY process_id, address, sharing, object_id, place;
