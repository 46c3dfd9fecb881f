// SPDX-License-Identifier: GPL-2.0-or-later
// The address-centric picture: for each thread the part of an object that it uses, from its lowest to its highest
// sampled offset. The part consists of bins; the higher the cost of a bin, the stronger its colour. The hot bins, which
// are the fewest that have 90 % of the cost, are marked (Liu & Mellor-Crummey 2014, 5.2).
import { canvas, colour, h } from '../dom.js';
import { percent } from '../format.js';
import { hover } from '../figure.js';
import { SCALE_HEIGHT, scale } from './scale.js';

const ROW = 22;
const ROWS = 64;

// Draws the picture. rows: { thread_id, bin, w, lo, hi }: w is the cost of a thread in this bin,
// one of `bins` equal parts of the object; lo and hi are the lowest and highest offset in it, in
// millionths of the object. xText(x) returns the label at a position from 0 to 1 along the object.
export function ranges(rows, { bins, threadName, width, xText }) {
  const threads = new Map();
  for (const r of rows) {
    const t = threads.get(r.thread_id) ?? { id: r.thread_id, lo: 1e6, hi: 0, w: 0, bins: new Float64Array(bins) };
    t.lo = Math.min(t.lo, r.lo);
    t.hi = Math.max(t.hi, r.hi);
    t.w += r.w;
    t.bins[Math.min(bins - 1, r.bin)] += r.w;
    threads.set(r.thread_id, t);
  }
  const list = [...threads.values()].sort((a, b) => b.w - a.w).slice(0, ROWS).sort((a, b) => a.lo + a.hi - b.lo - b.hi || a.id - b.id);
  const total = rows.reduce((sum, r) => sum + r.w, 0);
  const columns = new Float64Array(bins);
  for (const r of rows) {
    columns[Math.min(bins - 1, r.bin)] += r.w;
  }
  const hot = hotBins(columns, total);
  const most = Math.max(...list.map((t) => Math.max(...t.bins)), 1e-9);
  const height = ROW * list.length + 4 + SCALE_HEIGHT;
  const { e, g } = canvas(width, height,
    `${list.length} threads and the part of the object that each uses: ${list.slice(0, 12).map((t) => `${threadName(t.id)} from ${percent(t.lo / 1e4, 0)} to ${percent(t.hi / 1e4, 0)}`).join('; ')}`);
  const x = (millionths) => (millionths / 1e6) * width;
  const strong = colour('--hot');
  list.forEach((t, i) => {
    const y = i * ROW;
    g.fillStyle = colour('--track');
    g.fillRect(0, y + 4, width, ROW - 8);
    g.fillStyle = strong;
    for (let b = 0; b < bins; b++) {
      if (t.bins[b] > 0) {
        g.globalAlpha = 0.18 + 0.82 * Math.sqrt(t.bins[b] / most);
        g.fillRect((b * width) / bins, y + 4, width / bins + 0.4, ROW - 8);
      }
    }
    g.globalAlpha = 1;
    g.fillStyle = colour('--text');
    const from = x(t.lo);
    const to = Math.max(from + 1, x(t.hi));
    g.fillRect(from, y + ROW - 4, to - from, 1.5);
    g.fillRect(from, y + ROW - 7, 1.5, 6);
    g.fillRect(to - 1.5, y + ROW - 7, 1.5, 6);
  });
  const bottom = ROW * list.length;
  g.fillStyle = colour('--accent');
  for (let b = 0; b < bins; b++) {
    if (hot[b]) {
      g.fillRect((b * width) / bins, bottom + 1, width / bins + 0.4, 3);
    }
  }
  scale(g, width, bottom + 4, xText);
  hover(e, (px, py) => {
    const t = list[Math.floor(py / ROW)];
    const b = Math.floor((px / width) * bins);
    return t && b >= 0 && b < bins
      ? `${threadName(t.id)}: ${percent((100 * t.bins[b]) / total)} of the object's at ${percent((100 * b) / bins, 0)} to ${percent((100 * (b + 1)) / bins, 0)}${hot[b] ? ' (hot)' : ''}`
      : null;
  });
  return h('div', { class: 'lanes' },
    h('div', { class: 'names', 'aria-hidden': 'true' }, list.map((t) => h('span', { style: { height: `${ROW}px`, 'line-height': `${ROW}px` } }, threadName(t.id)))),
    h('div', {}, e),
    threads.size > list.length && h('p', { class: 'note' }, `The ${list.length} threads that use it most, of ${threads.size}.`));
}

// Finds the hot bins, the fewest that have 90 % of the cost: returns an array of true and false.
// columns: the cost of each bin.
export function hotBins(columns, total) {
  const hot = new Array(columns.length).fill(false);
  let sum = 0;
  for (const b of [...columns.keys()].sort((a, c) => columns[c] - columns[a])) {
    if (sum >= 0.9 * total || !(columns[b] > 0)) {
      break;
    }
    hot[b] = true;
    sum += columns[b];
  }
  return hot;
}

// Draws a small version of the picture, without text, for a row of a table. threads: a Map from
// thread to a Float64Array with the cost of each bin.
export function miniature(threads, bins) {
  const list = [...threads.values()]
    .map((t) => ({ t, sum: t.reduce((a, b) => a + b, 0), middle: t.reduce((a, b, i) => a + b * i, 0) }))
    .sort((a, b) => b.sum - a.sum).slice(0, 8)
    .sort((a, b) => a.middle / a.sum - b.middle / b.sum);
  const rowHeight = list.length > 4 ? 4 : 6;
  const width = bins * 4;
  const { e, g } = canvas(width, Math.max(1, list.length * rowHeight), '');
  const most = Math.max(...list.map(({ t }) => Math.max(...t)), 1e-9);
  list.forEach(({ t }, i) => {
    g.globalAlpha = 1;
    g.fillStyle = colour('--track');
    g.fillRect(0, i * rowHeight, width, rowHeight - 1);
    g.fillStyle = colour('--hot');
    t.forEach((w, b) => {
      if (w > 0) {
        g.globalAlpha = 0.25 + 0.75 * Math.sqrt(w / most);
        g.fillRect(b * 4, i * rowHeight, 4, rowHeight - 1);
      }
    });
  });
  e.setAttribute('role', 'presentation');
  e.removeAttribute('aria-label');
  return e;
}
