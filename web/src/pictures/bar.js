// SPDX-License-Identifier: GPL-2.0-or-later
// Bars: a share with its 95 % interval, and a total divided into parts.
import { category, h } from '../dom.js';
import { DASH, interval, percent } from '../format.js';

// Draws a share in percent as a bar, with its confidence interval (low, high) as a line over the
// bar's end. `most` is the share that fills the width.
export function shareBar(value, low, high, most = 100) {
  if (value === null || value === undefined) {
    return h('span', { class: 'share' }, DASH);
  }
  const part = (x) => `${Math.max(0, Math.min(100, (100 * x) / most))}%`;
  const known = low !== null && low !== undefined;
  return h('span', { class: 'share' },
    h('span', { class: 'track', 'aria-hidden': 'true' },
      h('span', { class: 'filled', style: { width: part(value) } }),
      known && h('span', { class: 'whisker', style: { left: part(low), width: `calc(${part(high)} - ${part(low)})` } })),
    h('span', { class: 'value' }, percent(value), known && h('small', {}, ` ${interval(low, high)}`)));
}

// Draws one bar that is divided into parts: [{ name, pct, low, high }], in this order.
export function stackedBar(parts, label) {
  const total = Math.max(100, parts.reduce((sum, p) => sum + p.pct, 0));
  return h('div', { class: 'stacked' },
    h('div', { class: 'whole', role: 'img', 'aria-label': `${label}: ${parts.map((p) => `${p.name} ${percent(p.pct)}`).join(', ')}` },
      parts.map((p, i) => h('span', { style: { width: `${(100 * p.pct) / total}%`, background: p.colour ?? category(i) }, title: `${p.name} ${percent(p.pct)}` }))),
    h('ul', { class: 'legend' }, parts.map((p, i) => h('li', {},
      h('span', { class: 'swatch', 'aria-hidden': 'true', style: { background: p.colour ?? category(i) } }),
      `${p.name} `, h('b', {}, percent(p.pct)), h('small', {}, ` ${interval(p.low, p.high)}`)))));
}
