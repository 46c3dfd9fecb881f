// SPDX-License-Identifier: GPL-2.0-or-later
// The main program: unpacks the database, then shows the page that the address names.
import { all, open } from './db.js';
import { h } from './dom.js';
import { figure } from './figure.js';
import { seconds, short, visible } from './format.js';
import { chosen, drawn, load, model, objectName, threadName, weightAll, weightName } from './model.js';
import * as comparison from './pages/changes.js';
import * as code from './pages/code.js';
import * as machine from './pages/machine.js';
import * as object from './pages/object.js';
import * as overview from './pages/overview.js';
import * as sql from './pages/sql.js';
import * as threads from './pages/threads.js';
import { strip } from './pictures/time.js';
import { KEYS, address, go, isFiltered, onChange, state } from './state.js';

const SLICES = 160;

const PAGES = {
  overview: ['Overview', overview.overview, overview.title],
  object: ['Objects', object.object, object.title],
  code: ['Code', code.code, code.title],
  threads: ['Threads', threads.threads, threads.title],
  machine: ['Machine', machine.machine, machine.title],
  sql: ['SQL', sql.sqlPage, sql.title],
};

const root = document.documentElement;

// Creates the button that switches between light and dark. The choice is lost when the page is
// closed, because the page stores nothing.
function themeButton() {
  const names = { auto: 'Light or dark: as the system', light: 'Light', dark: 'Dark' };
  const signs = { auto: '◐', light: '☀', dark: '☾' };
  const button = h('button', { type: 'button', class: 'quiet theme' });
  const set = (theme) => {
    root.dataset.theme = theme;
    button.replaceChildren(signs[theme]);
    button.setAttribute('aria-label', `Colours: ${names[theme]}`);
  };
  set(root.dataset.theme ?? 'auto');
  button.addEventListener('click', () => {
    set({ auto: 'light', light: 'dark', dark: 'auto' }[root.dataset.theme]);
    render();
  });
  return button;
}

// Creates the head of the page. `middle` is placed between the name of memdb and the button for light or dark.
function masthead(...middle) {
  return h('header', { class: 'masthead' },
    h('a', { class: 'skip', href: '#content', onclick: (e) => { e.preventDefault(); document.getElementById('content').focus(); } }, 'To the content'),
    h('a', { class: 'brand', href: '#overview' }, 'memdb'),
    middle,
    themeButton());
}

function runHead() {
  return masthead(
    h('span', { class: 'command', title: visible(model.run.command ?? '') }, short(model.run.command ?? 'recorded by hand', 90)),
    h('nav', { 'aria-label': 'Pages' }, h('ul', {}, Object.entries(PAGES).map(([key, [name]]) => h('li', {},
      h('a', { href: address({ page: key }), 'data-page': key }, name))))));
}

// Shows the choices of the reader (state.js), each with a button that removes it, and input fields
// for the range of time.
function choices() {
  const chips = [];
  const chip = (text, changes) => chips.push(h('li', {}, h('button', { type: 'button', class: 'chip', 'aria-label': `Take back: ${text}`, onclick: () => go(changes) }, text, h('span', { 'aria-hidden': 'true' }, ' ×'))));
  if (state.object !== null && state.page !== 'object') {
    chip(`object ${short(objectName(state.object), 30)}`, { object: null });
  }
  if (state.thread !== null) {
    chip(`thread ${short(threadName(state.thread), 24)}`, { thread: null });
  }
  if (state.function !== null) {
    chip(`in ${short(state.function, 40)}`, { function: null });
  }
  if (state.from !== null || state.to !== null) {
    chip(`${seconds(state.from ?? 0)} to ${seconds(state.to ?? model.run.seconds)}`, { from: null, to: null });
  }
  if (chips.length > 1) {
    chips.push(h('li', {}, h('button', { type: 'button', class: 'quiet', onclick: () => go(Object.fromEntries(KEYS.map((k) => [k, null]))) }, 'Take all back')));
  }
  return h('ul', { class: 'chips', 'aria-label': 'What is chosen' }, chips);
}

function timeForm() {
  const field = (name, key, value) => h('label', {}, `${name} `, h('input', {
    type: 'number', min: 0, max: model.run.seconds, step: 'any', value: value ?? '', placeholder: key === 'from' ? '0' : model.run.seconds.toFixed(2),
    onchange: (e) => go({ [key]: e.target.value === '' ? null : Number(e.target.value) }),
  }), ' s');
  return h('div', { class: 'range' }, field('from', 'from', state.from), field('to', 'to', state.to));
}

function threadMenu() {
  const threads = [...model.threads.keys()];
  return h('label', { class: 'range' }, 'thread ', h('select', { onchange: (e) => go({ thread: e.target.value === '' ? null : Number(e.target.value) }) },
    h('option', { value: '' }, `all ${threads.length}`),
    threads.map((t) => h('option', { value: t, selected: t === state.thread }, short(threadName(t), 30)))));
}

function timeline(width) {
  const length = model.run.seconds || 1e-3;
  const name = `${weightName()} over time`;
  return h('section', { class: 'timeline', 'aria-label': 'Time' },
    h('div', { class: 'bar' }, choices(), threadMenu(), timeForm()),
    figure({
      title: name[0].toUpperCase() + name.slice(1),
      sql: `${chosen(['from', 'to'])}
SELECT max(0, min(${SLICES - 1}, CAST(time_us / ${(length * 1e6) / SLICES} AS INTEGER))) AS slice, sum(${weightAll()}) AS w, count(*) AS samples
FROM chosen
GROUP BY slice`,
      wide: true,
      draw: (rows) => {
        const slices = new Array(SLICES).fill(0);
        for (const r of rows) {
          slices[r.slice] = r.w;
        }
        return strip(slices, { width: width - 34, length, from: state.from, to: state.to, choose: (from, to) => go({ from, to }), label: `${weightName()} in ${SLICES} slices of ${seconds(length)}` });
      },
      note: (rows) => `${isFiltered(['from', 'to']) ? 'Of what is chosen. ' : ''}Drag to choose a range. ${drawn(rows.reduce((sum, r) => sum + r.samples, 0))}.`,
    }));
}

// Returns a paragraph with the report's sentence on the part of the run that is shown; nothing if the page shows the
// entire run.
function selection() {
  return all("SELECT sentence FROM sentences WHERE part = 'selection'").map((r) => h('p', { class: 'selection', role: 'note' }, visible(r.sentence)));
}

let content;
let render = renderRun;

function renderRun() {
  const [name, page, title] = PAGES[state.page] ?? PAGES.overview;
  const width = Math.min(1560, document.documentElement.clientWidth) - 40;
  for (const a of document.querySelectorAll('[data-page]')) {
    a.href = address({ page: a.dataset.page });
    a.toggleAttribute('aria-current', false);
    if (a.textContent === name) {
      a.setAttribute('aria-current', 'page');
    }
  }
  document.getElementById('tip').hidden = true;
  const made = page(width); // before the choices are shown, because a page may set a default choice
  content.replaceChildren(h('h1', { class: 'hidden' }, title()), ...selection(), timeline(width - 2), ...made);
  document.title = `${title()} – memdb`;
  root.dataset.width = root.clientWidth;
  root.dataset.shown = location.hash;
}

// Draws the page again when its width changes.
function onResize() {
  let last = root.clientWidth;
  let timer;
  new ResizeObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (root.clientWidth !== last) {
        last = root.clientWidth;
        render();
      }
    }, 120);
  }).observe(root);
  for (const media of ['(prefers-color-scheme: dark)', 'print']) { // a canvas keeps the colours with which it was drawn
    window.matchMedia(media).addEventListener('change', () => render());
  }
}

function footer(size, what) {
  return [h('div', { id: 'tip', role: 'presentation', hidden: true }),
    h('footer', {}, h('p', { class: 'note' }, `Made by memdb. This file holds ${(size / 1048576).toFixed(1)} MiB of ${what} and asks nothing from the network.`))];
}

// Shows the page of a comparison, which has no choices and no other pages.
function beginComparison(size) {
  render = () => {
    content.replaceChildren(...comparison.changes());
    root.dataset.width = root.clientWidth;
  };
  document.getElementById('page').replaceChildren(masthead(h('span', { class: 'command' }, comparison.title())), content, ...footer(size, 'changes'));
  document.title = `${comparison.title()} – memdb`;
  render();
  onResize();
  root.dataset.ready = 'true';
}

function begin(size) {
  content = h('main', { id: 'content', tabindex: -1 });
  if (comparison.isComparison()) {
    beginComparison(size);
    return;
  }
  load();
  if (!model.run) {
    document.getElementById('page').replaceChildren(h('p', {}, 'This page holds no recording.'));
    return;
  }
  document.getElementById('page').replaceChildren(runHead(), content, ...footer(size, 'data'));
  let shown = state.page;
  onChange(() => {
    render();
    if (state.page !== shown) {
      shown = state.page;
      window.scrollTo(0, 0);
      content.focus({ preventScroll: true });
    }
  });
  render();
  onResize();
  root.dataset.ready = 'true';
}

open().then(begin).catch((error) => {
  document.getElementById('page').replaceChildren(h('p', { role: 'alert' }, `This page cannot be shown: ${error.message}`));
  console.error(error);
});
