// SPDX-License-Identifier: GPL-2.0-or-later
// A picture with its title, a note, its rows as a table, and its SQL. The reader can edit and run the SQL, and the
// picture is drawn again from the result.
import { ask, csv, objectsOf, parse, start as startStatement } from './db.js';
import { h, newId } from './dom.js';
import { count, visible } from './format.js';

const TABLE_ROWS = 500;

// Creates a table cell of a value. A number keeps only its significant digits.
function cell(v) {
  if (v === null) {
    return h('td', { class: 'null' }, '–');
  }
  if (typeof v === 'number') {
    return h('td', { class: 'number' }, Number.isInteger(v) ? String(v) : String(Number(v.toPrecision(6))));
  }
  return h('td', {}, visible(v instanceof Uint8Array ? `${v.length} bytes` : v));
}

// Creates the head of a table with these column names. "#" before a name marks a column of numbers
// and is not shown.
export function heads(...names) {
  return h('thead', {}, h('tr', {}, names.flat().filter(Boolean).map((name) => h('th', { scope: 'col', class: name[0] === '#' ? 'number' : null }, name.replace(/^#/, '')))));
}

// Creates an element that scrolls separately and can have the keyboard focus.
export function scroller(label, ...children) {
  return h('div', { class: 'scroller', role: 'region', 'aria-label': label, tabindex: 0 }, ...children);
}

// Creates a table of the rows of a result of ask(), at most TABLE_ROWS, and a button that saves all
// of them as CSV.
export function rowsTable(result, label) {
  const shown = result.rows.slice(0, TABLE_ROWS);
  const hidden = result.rows.length - shown.length;
  return h('div', {},
    scroller(label, h('table', { class: 'rows' },
      h('thead', {}, h('tr', {}, result.columns.map((name) => h('th', { scope: 'col' }, visible(name))))),
      h('tbody', {}, shown.map((row) => h('tr', {}, row.map(cell)))))),
    h('p', { class: 'note' }, `${count(result.rows.length)}${result.more ? ' or more' : ''} row${result.rows.length === 1 ? '' : 's'}`,
      hidden ? `, ${count(hidden)} of them not shown; the file has all. ` : '. ',
      h('button', { type: 'button', class: 'quiet', onclick: () => save(csv(result)) }, 'Save as CSV')));
}

function save(text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  h('a', { href: url, download: 'memdb.csv' }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// Creates a button that shows and hides `panel`. make() creates the panel's content when it is
// first shown.
function toggle(text, label, panel, make) {
  panel.id = newId();
  panel.hidden = true;
  const button = h('button', {
    type: 'button', class: 'quiet', 'aria-expanded': 'false', 'aria-controls': panel.id, 'aria-label': `${text}: ${label}`,
    onclick: () => {
      panel.hidden = !panel.hidden;
      button.setAttribute('aria-expanded', String(!panel.hidden));
      if (!panel.hidden) {
        make();
      }
    },
  }, text);
  return button;
}

// Creates an editor for the page's own statement `sql`. show(result) shows the result of the statement, at
// most `limit` rows, and returns what to say of it. A statement that the reader has changed may never
// end, so it runs in a worker, with a button that ends it.
export function editor(sql, label, limit, show) {
  const id = newId();
  const said = h('p', { class: 'note', role: 'status' });
  const area = h('textarea', { id, spellcheck: 'false', rows: Math.min(24, sql.split('\n').length + 1) });
  const end = h('button', { type: 'button', hidden: true, onclick: () => running.stop() }, 'Stop');
  let running;
  area.value = sql;
  const say = (text, wrong) => {
    said.textContent = text;
    said.classList.toggle('wrong', wrong);
  };
  const wait = async () => {
    const mine = startStatement(area.value, limit);
    running = mine;
    end.hidden = false;
    say('The statement runs …', false);
    try {
      const result = await mine.result;
      say(show(result) ?? '', false);
    } catch (error) {
      if (running === mine) {
        say(error.message, true);
      }
    } finally {
      if (running === mine) {
        running = undefined;
        end.hidden = true;
      }
    }
  };
  const start = () => {
    const former = running;
    running = undefined; // so nothing is said of it
    end.hidden = true;
    former?.stop();
    try {
      if (area.value === sql) {
        say(show(ask(sql, limit)) ?? '', false);
        return;
      }
      parse(area.value);
    } catch (error) {
      say(error.message, true);
      return;
    }
    wait();
  };
  area.addEventListener('keydown', (e) => {
    if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) {
      e.preventDefault();
      start();
    }
  });
  return h('div', { class: 'editor' },
    h('label', { for: id }, `SQL of: ${label}`), area,
    h('div', { class: 'bar' },
      h('button', { type: 'button', onclick: start }, 'Run'), end,
      h('button', { type: 'button', class: 'quiet', onclick: () => { area.value = sql; start(); } }, 'Reset'),
      h('span', { class: 'note' }, 'Ctrl+Enter runs it')),
    said);
}

const MOST_ROWS = 200000; // that a picture is drawn from

// Creates a figure: title, picture, note, and buttons that show the rows and the SQL. draw(rows,
// result) and note(rows) get the result of `sql` (db.js): draw returns the picture, or a text if
// there is nothing to draw. note returns a sentence that says what the picture shows, and from how
// many samples. `tools` are more elements for the title bar.
export function figure({ title, sql, draw, note, tools = [], wide = false }) {
  const picture = h('div', { class: 'picture' });
  const caption = h('figcaption', { class: 'note' });
  const table = h('div', { class: 'panel' });
  const statement = h('div', { class: 'panel' });
  let result;

  const show = (answer) => {
    result = answer;
    const rows = objectsOf(result);
    const drawing = draw(rows, result);
    picture.replaceChildren(typeof drawing === 'string' ? h('p', { class: 'empty' }, drawing) : drawing.tagName === 'TABLE' ? scroller(title, drawing) : drawing);
    caption.replaceChildren(...[note?.(rows) ?? ''].flat());
    if (!table.hidden) {
      table.replaceChildren(rowsTable(result, `Rows: ${title}`));
    }
    return `${count(rows.length)} rows`;
  };
  const heading = h('h2', { id: newId() }, title);
  const element = h('figure', { class: wide ? 'figure wide' : 'figure', 'aria-labelledby': heading.id },
    h('div', { class: 'title' }, heading, h('div', { class: 'tools' }, tools,
      toggle('Table', title, table, () => table.replaceChildren(rowsTable(result, `Rows: ${title}`))),
      toggle('SQL', title, statement, () => statement.firstChild ?? statement.replaceChildren(editor(sql, title, MOST_ROWS, show))))),
    picture, caption, table, statement);
  show(ask(sql, MOST_ROWS));
  return element;
}

// Creates a group of buttons, of which the one for `value` is pressed: choice('Colour', [['node',
// 'Node'], …], 'node', (value) => …)
export function choice(label, options, value, change) {
  const group = h('div', { class: 'choice', role: 'group', 'aria-label': label });
  group.append(...options.map(([key, text]) => h('button', {
    type: 'button', 'aria-pressed': String(key === value),
    onclick: (e) => {
      for (const b of group.children) {
        b.setAttribute('aria-pressed', String(b === e.currentTarget));
      }
      change(key);
    },
  }, text)));
  return group;
}

// Shows a tooltip next to the pointer over an element. find(x, y) returns its text, or null for none.
export function hover(element, find) {
  const tip = document.getElementById('tip');
  element.addEventListener('pointermove', (e) => {
    const box = element.getBoundingClientRect();
    const text = find(e.clientX - box.left, e.clientY - box.top);
    tip.hidden = !text;
    if (text) {
      tip.textContent = text;
      const x = Math.min(e.clientX + 14, innerWidth - tip.offsetWidth - 8);
      const y = e.clientY + 18 + tip.offsetHeight > innerHeight ? e.clientY - tip.offsetHeight - 10 : e.clientY + 18;
      tip.style.transform = `translate(${Math.max(4, x)}px, ${Math.max(4, y)}px)`;
    }
  });
  element.addEventListener('pointerleave', () => { tip.hidden = true; });
  return element;
}
