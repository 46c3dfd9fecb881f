-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns the function and line of each instruction. They are those of the innermost frame, whose function may be inlined into the symbol's function.
SELECT i.id, i.symbol_id, i.dso_id, code_name(coalesce(l.function, s.name), d.short_name) AS name, l.file_id, l.line
FROM instructions AS i
LEFT JOIN locations AS l ON l.id = i.location_id
LEFT JOIN symbols AS s ON s.id = i.symbol_id
LEFT JOIN dsos AS d ON d.id = i.dso_id
ORDER BY i.id;
