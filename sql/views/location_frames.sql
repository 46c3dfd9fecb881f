-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    location_frames
-- summary: The source frames at a code address: the innermost function and those it was inlined into.
-- grain:   one row per location and frame
-- column:  location_id     INTEGER  locations.id
-- column:  depth           INTEGER  0: the innermost frame, 1: the caller it was inlined into, …
-- column:  function        TEXT     its name; the symbol where there is no debug information; [file] without one
-- column:  file            TEXT     source file; NULL: not known
-- column:  line            INTEGER  source line; NULL: not known
CREATE VIEW location_frames AS
SELECT
  l.id AS location_id,
  0 AS depth,
  coalesce(l.function, s.name, '[' || trim(coalesce(d.short_name, 'unknown'), '[]') || ']') AS function,
  f.path AS file,
  l.line AS line
FROM locations AS l
LEFT JOIN symbols AS s ON s.id = l.symbol_id
LEFT JOIN dsos AS d ON d.id = l.dso_id
LEFT JOIN files AS f ON f.id = l.file_id
UNION ALL
SELECT
  n.location_id,
  n.depth,
  coalesce(n.function, '[unknown]'),
  f.path,
  nullif(n.line, 0)
FROM inlined_frames AS n
LEFT JOIN files AS f ON f.id = n.file_id;
