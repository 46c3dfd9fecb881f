-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   object_sharing
-- summary: How much of an object's use is of cache lines that threads share while one of them writes.
-- param:   top 20 rows at most
-- column:  object_id  objects.id
-- column:  object     the object's name
-- column:  sharing    true: the same bytes; false: threads only meet in the line
-- column:  lines      cache lines
-- column:  threads    most threads in one line
-- column:  accesses   accesses in them, also to other objects
-- column:  pct        of the object's accesses those in them, 0-100
-- column:  low        lower end of its 95 % interval
-- column:  high       upper end
-- column:  hitm       found modified in another cache (hardware)
-- column:  wait_ms    waiting time, ms (timer)
SELECT
  s.object_id AS object_id,
  o.name AS object,
  s.sharing AS sharing,
  s.lines AS lines,
  s.threads AS threads,
  s.accesses AS accesses,
  round(s.accesses_pct, 1) AS pct,
  round(s.accesses_low_pct, 1) AS low,
  round(s.accesses_high_pct, 1) AS high,
  nullif(s.hitm, 0) AS hitm,
  nullif(round(s.wait_ns / 1e6, 3), 0) AS wait_ms
FROM object_sharing AS s
LEFT JOIN objects AS o ON o.id = s.object_id
ORDER BY s.hitm DESC, s.wait_ns DESC, s.weight DESC, s.accesses DESC, s.object_id, s.sharing
LIMIT coalesce(:top, 20);
