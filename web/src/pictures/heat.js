// SPDX-License-Identifier: GPL-2.0-or-later
// Pages and threads: a column for each part of an object's pages, a row for each thread, coloured by the node
// of the pages (Trahay et al. 2018, 3.4) or by the kind of access; the colour is stronger the more accesses there are.
import { canvas, category, colour, h } from '../dom.js';
import { percent } from '../format.js';
import { hover } from '../figure.js';
import { SCALE_HEIGHT, scale } from './scale.js';

const ROW = 16;
const ROWS = 64;

// Describe a cell for heat(): its text and its colour, by the column `kind` of the rows. With nodeKinds, kind is a
// node; with accessKinds, it tells whether the accesses are stores.
export const nodeKinds = {
  text: (n) => (n === null ? 'node not known' : `pages on node ${n}`),
  colour: (n) => (n === null ? colour('--muted') : category(n)),
};
export const accessKinds = {
  text: (store) => (store ? 'writes' : 'reads'),
  colour: (store) => (store ? category(0) : colour('--hot')),
};

// Draws the map. rows: { thread_id, bin, kind, w }: w is the cost (or number) of a thread's
// accesses of one kind in part `bin` of the object. A cell has the colour of the kind with the
// largest w. xText(x) returns the label at a position from 0 to 1 along the object.
export function heat(rows, { bins, threadName, width, kinds, xText }) {
  const cells = new Map();
  const sums = new Map();
  let most = 0;
  for (const r of rows) {
    const key = `${r.thread_id}/${r.bin}`;
    const c = cells.get(key) ?? { w: 0, kinds: new Map() };
    c.w += r.w;
    c.kinds.set(r.kind, (c.kinds.get(r.kind) ?? 0) + r.w);
    cells.set(key, c);
    sums.set(r.thread_id, (sums.get(r.thread_id) ?? 0) + r.w);
    most = Math.max(most, c.w);
  }
  const threads = [...sums.keys()].sort((a, b) => sums.get(b) - sums.get(a)).slice(0, ROWS).sort((a, b) => a - b);
  const total = [...sums.values()].reduce((a, b) => a + b, 0);
  const present = [...new Set(rows.map((r) => r.kind))].sort((a, b) => a - b);
  const { e, g } = canvas(width, threads.length * ROW + SCALE_HEIGHT, `${bins} parts of the object and ${threads.length} threads: ${present.map(kinds.text).join(', ')}`);
  const step = width / bins;
  const at = (thread, bin) => cells.get(`${thread}/${bin}`);
  const main = (c) => [...c.kinds].reduce((a, b) => (b[1] > a[1] ? b : a))[0];
  threads.forEach((thread, i) => {
    g.globalAlpha = 1;
    g.fillStyle = colour('--track');
    g.fillRect(0, i * ROW, width, ROW - 1);
    for (let b = 0; b < bins; b++) {
      const c = at(thread, b);
      if (c) {
        g.globalAlpha = 0.25 + 0.75 * Math.sqrt(c.w / most);
        g.fillStyle = kinds.colour(main(c));
        g.fillRect(b * step, i * ROW, step + 0.3, ROW - 1);
      }
    }
  });
  scale(g, width, threads.length * ROW, xText);
  hover(e, (px, py) => {
    const thread = threads[Math.floor(py / ROW)];
    const b = Math.floor(px / step);
    const c = at(thread, b);
    return c ? `${threadName(thread)}, ${percent((100 * b) / bins, 0)} to ${percent((100 * (b + 1)) / bins, 0)}: ${percent((100 * c.w) / total)}, ${kinds.text(main(c))}` : null;
  });
  return h('div', {},
    h('div', { class: 'lanes' },
      h('div', { class: 'names', 'aria-hidden': 'true' }, threads.map((t) => h('span', { style: { height: `${ROW}px`, 'line-height': `${ROW}px` } }, threadName(t)))),
      h('div', {}, e)),
    h('ul', { class: 'legend' }, present.map((kind) => h('li', {},
      h('span', { class: 'swatch', 'aria-hidden': 'true', style: { background: kinds.colour(kind) } }), kinds.text(kind)))));
}
