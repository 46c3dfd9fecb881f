-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW line_accesses AS
-- view:    line_accesses
-- summary: Which objects and members each source line accesses.
-- grain:   one row per function, file and line (of the innermost frame), object and member with a drawn sample
-- note:    from drawn_samples; code without lines is left out
SELECT
  coalesce(l.function, y.name) AS function, -- innermost source function, inlined or not; else the symbol; NULL: not known
  f.id AS file_id,               -- files.id
  f.path AS file,                -- source file
  l.line AS line,                -- source line
  o.id AS object_id,             -- objects.id
  o.name AS object,              -- the object's name
  o.name || iif(m.id IS NULL, '', substr(member_name(o, t, m, NULL), length(o.name) + 1)) AS place, -- the member, as "nodes[].next"; the object's name without a type
  count(*) AS drawn,             -- drawn samples (count)
  sum(s.loads) AS loads,         -- of these, that read (count)
  sum(s.stores) AS stores,       -- of these, that write (count)
  sum(s.cost * s.one_in) AS cost -- what memory costs there, estimated from the draw, in run_costs.cost_unit
FROM drawn_samples AS s
JOIN instructions AS i ON i.id = s.instruction_id
JOIN locations AS l ON l.id = i.location_id
JOIN files AS f ON f.id = l.file_id
LEFT JOIN symbols AS y ON y.id = i.symbol_id
JOIN objects AS o ON o.id = s.object_id
LEFT JOIN types AS t ON t.id = o.type_id
LEFT JOIN members AS m ON m.id = member_at(o, t, s.object_offset)
WHERE l.line IS NOT NULL
GROUP BY 1, 2, l.line, o.id, 7;
