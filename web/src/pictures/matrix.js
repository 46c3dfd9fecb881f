// SPDX-License-Identifier: GPL-2.0-or-later
// The access matrix r_ij: accesses by node of the CPU (rows) and node of the memory (columns).
import { h } from '../dom.js';
import { count, percent } from '../format.js';
import { model } from '../model.js';

const nodeName = (n) => (n === null ? 'not known' : String(n));

// If the machine has at most so many nodes, the picture shows all of them; otherwise only those
// with samples.
const ALL = 16;

// Draws the matrix. rows: { cpu_node, home, samples, estimate, distance }. Shares are of `estimate`, the accesses or the time that the samples represent.
export function matrix(rows, caption) {
  const order = (a, b) => (a === null) - (b === null) || a - b;
  const nodes = model.nodes.length <= ALL ? model.nodes : [];
  const cpus = [...new Set([...rows.map((r) => r.cpu_node), ...nodes.filter((n) => n.cpus !== '').map((n) => n.node)])].sort(order);
  const homes = [...new Set([...rows.map((r) => r.home), ...nodes.map((n) => n.node)])].sort(order);
  const total = rows.reduce((sum, r) => sum + r.estimate, 0);
  const most = Math.max(...rows.map((r) => r.estimate), 1);
  const at = new Map(rows.map((r) => [`${r.cpu_node}/${r.home}`, r]));
  const cell = (i, j) => {
    const r = at.get(`${i}/${j}`);
    if (!r) {
      return h('td', { class: 'none' }, '0');
    }
    const strength = Math.round(6 + 30 * Math.sqrt(r.estimate / most));
    return h('td', {
      class: i === j ? 'local' : 'remote',
      style: { background: `color-mix(in srgb, var(${i === null || j === null ? '--muted' : i === j ? '--local' : '--hot'}) ${strength}%, transparent)` },
      title: `${count(r.samples)} samples${r.distance ? `, distance ${r.distance}` : ''}`,
    }, percent((100 * r.estimate) / total), h('small', {}, count(r.samples)));
  };
  return h('table', { class: 'matrix' },
    h('caption', { class: 'hidden' }, caption),
    h('thead', {},
      h('tr', {}, h('td', {}), h('th', { scope: 'colgroup', colspan: homes.length }, 'pages on node')),
      h('tr', {}, h('th', { scope: 'col', class: 'corner' }, 'threads on node'), homes.map((j) => h('th', { scope: 'col' }, nodeName(j))))),
    h('tbody', {}, cpus.map((i) => h('tr', {}, h('th', { scope: 'row' }, nodeName(i)), homes.map((j) => cell(i, j))))));
}
