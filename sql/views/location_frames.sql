-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW location_frames AS
-- view:    location_frames
-- summary: The source frames at a code address: the innermost function of the program's own sources, and the functions inlined there.
-- grain:   one row per location and frame
SELECT
  l.id AS location_id, -- locations.id
  0 AS depth, -- 0: the frame that the row of locations describes, 1: the caller into which frame 0 was inlined, …; -1: a library function inlined into frame 0, …
  code_name(coalesce(l.function, s.name), d.short_name) AS function, -- the function; the symbol if there is no debug information; [file] if there is no symbol
  f.path AS file, -- source file; NULL: not known
  l.line AS line -- source line; NULL: not known
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
