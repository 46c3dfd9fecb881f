// SPDX-License-Identifier: GPL-2.0-or-later
// A lane for each thread through time, coloured by the node (or CPU) on which it ran; the colour is stronger the more
// samples there are. A line marks a move to another node or CPU.
import { canvas, category, colour, h } from '../dom.js';
import { seconds } from '../format.js';
import { hover } from '../figure.js';

const ROW = 20;

// Draws the lanes. rows: { thread_id, slice, g, n }, where n samples of the thread in a slice of
// time ran on node or CPU g. from, length: range of time, seconds.
export function lanes(rows, { slices, width, threads, threadName, from, length, groupName, choose }) {
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
  const { e, g } = canvas(width, threads.length * ROW + 20, `${threads.length} threads over ${seconds(length)}, coloured by ${groups.slice(0, 16).map(groupName).join(', ')}`);
  const step = width / slices;
  threads.forEach((t, i) => {
    let last;
    g.globalAlpha = 1;
    g.fillStyle = colour('--track');
    g.fillRect(0, i * ROW + 2, width, ROW - 4);
    for (let s = 0; s < slices; s++) {
      const c = cells.get(`${t}/${s}`);
      if (!c) {
        continue;
      }
      g.globalAlpha = 0.3 + 0.7 * Math.sqrt(c.n / most);
      g.fillStyle = c.g === null ? colour('--muted') : category(c.g);
      g.fillRect(s * step, i * ROW + 2, step + 0.3, ROW - 4);
      if (last !== undefined && last !== c.g) {
        g.globalAlpha = 1;
        g.fillStyle = colour('--text');
        g.fillRect(s * step - 0.5, i * ROW, 1, ROW);
      }
      last = c.g;
    }
  });
  g.globalAlpha = 1;
  g.fillStyle = colour('--muted');
  g.font = '11px system-ui, sans-serif';
  for (let k = 0; k <= 4; k++) {
    g.textAlign = k === 0 ? 'left' : k === 4 ? 'right' : 'center';
    g.fillText(seconds(from + (k * length) / 4), (k * width) / 4, threads.length * ROW + 15);
  }
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
