// SPDX-License-Identifier: GPL-2.0-or-later
// Call paths: the SQL that reads their frames from the page's database, and lists of frames.
import { h } from './dom.js';
import { place, short, visible } from './format.js';

// Returns SQL for the frames of call paths: the rows of `paths` with nr, 0, … and function, file, line, innermost first.
// `ways` is a SELECT with the columns nr, id (paths.id) and pages.
export function framesSql(ways) {
  return `WITH RECURSIVE
  ways (nr, id, pages) AS (
    ${ways}
  ),
  up (nr, pages, step, id) AS (
    SELECT nr, pages, 0, id FROM ways
    UNION ALL
    SELECT u.nr, u.pages, u.step + 1, p.parent_id FROM up AS u JOIN paths AS p ON p.id = u.id WHERE p.parent_id IS NOT NULL
  )
SELECT u.nr, u.pages, coalesce(f.function, iif(p.kind = 'truncated', '[what called it is not known]', '[unknown]')) AS function, f.file, f.line
FROM up AS u
JOIN paths AS p ON p.id = u.id
LEFT JOIN frames AS f ON f.location_id = p.location_id
WHERE p.kind IS NOT 'root'
ORDER BY u.nr, u.step, f.depth`;
}

export function pathList(frames) {
  return h('ol', { class: 'path' }, frames.map((f) => h('li', {},
    h('span', { class: 'code', title: visible(f.function) }, short(f.function, 80)),
    f.file && h('span', { class: 'place', title: visible(f.file) }, ` ${place(f.file, f.line)}`))));
}
