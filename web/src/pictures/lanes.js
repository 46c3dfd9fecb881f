// SPDX-License-Identifier: GPL-2.0-or-later
// A lane for each thread through time, coloured by the node (or CPU) on which it ran; the colour is stronger the more
// samples there are. A line marks a move to another node or CPU, and a thin bar below the lane the node or CPU to which
// the thread was bound.
import { canvas, category, colour, h } from '../dom.js';
import { instants, seconds } from '../format.js';
import { hover } from '../figure.js';
import { SCALE_HEIGHT, scale } from './scale.js';

const ROW = 20;
const LANE = 13;

// Draws the lanes. rows: { thread_id, slice, g, n }: the thread had n samples on node or CPU g in this slice of time.
// The `length` seconds after `from` are divided into `slices` slices. bound: rows { thread_id, from_s, g }, ordered by
// time: after from_s, the thread was allowed to run only on node or CPU g; null: on several.
export function lanes(rows, { slices, width, threads, threadName, from, length, groupName, choose, bound }) {
  const cells = new Map();
  let most = 1;
  for (const r of rows) {
    const key = `${r.thread_id}/${r.slice}`;
    const c = cells.get(key) ?? { n: 0, g: r.g, best: 0 };
    c.n += r.n;
    if (r.n > c.best) {
      c.best = r.n;
      c.g = r.g;
    }
    cells.set(key, c);
    most = Math.max(most, c.n);
  }
  const groups = [...new Set(rows.map((r) => r.g))].sort((a, b) => a - b);
  const { e, g } = canvas(width, threads.length * ROW + SCALE_HEIGHT, `${threads.length} threads over ${seconds(length)}, coloured by ${groups.slice(0, 16).map(groupName).join(', ')}`);
  const step = width / slices;
  threads.forEach((t, i) => {
    let last;
    g.globalAlpha = 1;
    g.fillStyle = colour('--track');
    g.fillRect(0, i * ROW + 2, width, LANE);
    for (let s = 0; s < slices; s++) {
      const c = cells.get(`${t}/${s}`);
      if (!c) {
        continue;
      }
      g.globalAlpha = 0.3 + 0.7 * Math.sqrt(c.n / most);
      g.fillStyle = c.g === null ? colour('--muted') : category(c.g);
      g.fillRect(s * step, i * ROW + 2, step + 0.3, LANE);
      if (last !== undefined && last !== c.g) {
        g.globalAlpha = 1;
        g.fillStyle = colour('--text');
        g.fillRect(s * step - 0.5, i * ROW, 1, LANE + 3);
      }
      last = c.g;
    }
    const mine = bound.filter((b) => b.thread_id === t);
    const x = (s) => Math.max(0, Math.min(1, (s - from) / length)) * width;
    mine.forEach((b, k) => {
      if (b.g !== null) {
        g.globalAlpha = 1;
        g.fillStyle = category(b.g);
        g.fillRect(x(b.from_s), i * ROW + LANE + 3, x(mine[k + 1]?.from_s ?? from + length) - x(b.from_s), 2);
      }
    });
  });
  const texts = instants([0, 0.25, 0.5, 0.75, 1].map((part) => from + part * length));
  scale(g, width, threads.length * ROW, (part) => texts[part * 4]);
  hover(e, (x, y) => {
    const t = threads[Math.floor(y / ROW)];
    const c = cells.get(`${t}/${Math.floor(x / step)}`);
    return c ? `${threadName(t)} at ${seconds(from + ((Math.floor(x / step) + 0.5) / slices) * length)}: ${c.n} samples, most on ${groupName(c.g)}` : null;
  });
  return h('div', {},
    h('div', { class: 'lanes' },
      h('div', { class: 'names' }, threads.map((t) => h('button', { type: 'button', class: 'quiet', style: { height: `${ROW}px`, 'line-height': `${ROW - 2}px` }, onclick: () => choose(t) }, threadName(t)))),
      h('div', {}, e)),
    h('ul', { class: 'legend' }, groups.slice(0, 16).map((n) => h('li', {},
      h('span', { class: 'swatch', 'aria-hidden': 'true', style: { background: n === null ? colour('--muted') : category(n) } }), groupName(n))),
    groups.length > 16 && h('li', {}, `and ${groups.length - 16} more`)));
}
