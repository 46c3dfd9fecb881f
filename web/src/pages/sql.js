// SPDX-License-Identifier: GPL-2.0-or-later
// The page of SQL: runs any statement on the page's database.
import { all, ask } from '../db.js';
import { h } from '../dom.js';
import { editor, rowsTable, scroller } from '../figure.js';
import { count, visible } from '../format.js';

const MOST_ROWS = 10000;
const FIRST = `SELECT f.function, o.object, count(*) AS samples
FROM points AS p
JOIN frames AS f ON f.location_id = p.location_id AND f.depth = 0
JOIN objects AS o ON o.object_id = p.object_id
GROUP BY f.function, o.object
ORDER BY samples DESC
LIMIT 20`;

function tables(show) {
  return scroller('Tables', h('table', { class: 'plain' },
    h('caption', { class: 'hidden' }, 'Tables of this page'),
    h('thead', {}, h('tr', {}, ['Table', 'What a row is', 'Columns', 'Rows', ''].map((t) => h('th', { scope: 'col' }, t || h('span', { class: 'hidden' }, 'Where it comes from'))))),
    h('tbody', {}, all('SELECT * FROM contents').map((t) => h('tr', {},
      h('th', { scope: 'row', class: 'code' }, t.name), h('td', {}, t.summary),
      h('td', { class: 'code columns-of' }, all(`SELECT name FROM pragma_table_info('${t.name}')`).map((c) => c.name).join(', ')),
      h('td', { class: 'number' }, count(t.kept), t.kept < t.rows && h('small', {}, ` of ${count(t.rows)}`)),
      h('td', {}, h('button', { type: 'button', class: 'quiet', 'aria-label': `made by: ${t.name}`, onclick: () => show(t) }, 'made by')))))));
}

export function sqlPage() {
  const out = h('div', { class: 'panel' });
  const origin = h('pre', { class: 'origin', hidden: true, tabindex: 0 });
  const show = (result) => {
    out.replaceChildren(rowsTable(result, 'Rows of the statement'));
    return '';
  };
  show(ask(FIRST, MOST_ROWS));
  return [h('section', { class: 'figure' }, h('h2', {}, 'Ask the recording'),
    h('p', { class: 'note' }, 'This page holds a small SQLite database, a part of the one that memdb wrote. Nothing that is asked leaves this page.'),
    editor(FIRST, 'the statement', MOST_ROWS, show), out),
  h('section', { class: 'figure' }, h('h2', {}, 'Tables'),
    tables((t) => {
      origin.hidden = false;
      origin.textContent = visible(t.made_by).replaceAll('\\n', '\n').replaceAll('\\t', '  ');
      origin.scrollIntoView({ block: 'nearest' });
    }), origin)];
}

export const title = () => 'SQL';
