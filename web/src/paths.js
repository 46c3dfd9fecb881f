// SPDX-License-Identifier: GPL-2.0-or-later
// Call paths: reads their frames from the page's database, and shows them as lists.
import { all } from './db.js';
import { h } from './dom.js';
import { place, short, visible } from './format.js';

// Returns the frames of a call path, innermost first: [{ function, file, line }].
export function framesOf(pathId) {
  return all(`WITH RECURSIVE
  up (step, id) AS (
    SELECT 0, ${Number(pathId)}
    UNION ALL
    SELECT u.step + 1, p.parent_id FROM up AS u JOIN paths AS p ON p.id = u.id WHERE p.parent_id IS NOT NULL
  )
SELECT coalesce(f.function, iif(p.kind = 'truncated', '[what called it is not known]', '[unknown]')) AS function, f.file, f.line
FROM up AS u
JOIN paths AS p ON p.id = u.id
LEFT JOIN frames AS f ON f.location_id = p.location_id
WHERE p.kind IS NOT 'root'
ORDER BY u.step, f.depth`);
}

export function pathList(frames) {
  return h('ol', { class: 'path' }, frames.map((f) => h('li', {},
    h('span', { class: 'code', title: visible(f.function) }, short(f.function, 80)),
    f.file && h('span', { class: 'place', title: visible(f.file) }, ` ${place(f.file, f.line)}`))));
}
