// SPDX-License-Identifier: GPL-2.0-or-later
// The page of the machine: its nodes and distances, and accesses by node of the CPU and node of the memory.
import { category, h } from '../dom.js';
import { figure, heads } from '../figure.js';
import { bytes, count, percent, short, visible } from '../format.js';
import { chosen, model } from '../model.js';
import { shareBar } from '../pictures/bar.js';
import { matrix } from '../pictures/matrix.js';
import { isFiltered } from '../state.js';

function nodesFigure() {
  return figure({
    title: 'Nodes',
    sql: 'SELECT node, cpus, mem_total_bytes, mem_free_bytes\nFROM nodes\nORDER BY node',
    draw: (rows) => (rows.length ? h('ul', { class: 'nodes' }, rows.map((n) => h('li', {},
      h('b', {}, h('span', { class: 'swatch', 'aria-hidden': 'true', style: { background: category(n.node) } }), `node ${n.node}`),
      h('span', {}, n.cpus === '' ? 'no CPUs: memory only' : `CPUs ${visible(n.cpus ?? 'not known')}`),
      h('span', {}, `${bytes(n.mem_total_bytes)}, ${bytes(n.mem_free_bytes)} free at the start`)))) : 'The nodes of the machine are not known.'),
    note: () => '',
  });
}

function distancesFigure() {
  return figure({
    title: 'Distances',
    sql: 'SELECT from_node, to_node, distance\nFROM distances\nORDER BY from_node, to_node',
    draw: (rows) => {
      const nodes = [...new Set(rows.map((r) => r.from_node))];
      const at = new Map(rows.map((r) => [`${r.from_node}/${r.to_node}`, r.distance]));
      const most = Math.max(...rows.map((r) => r.distance), 11);
      return rows.length ? h('table', { class: 'matrix' }, h('caption', { class: 'hidden' }, 'Distances between nodes'),
        h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'from, to'), nodes.map((j) => h('th', { scope: 'col' }, j)))),
        h('tbody', {}, nodes.map((i) => h('tr', {}, h('th', { scope: 'row' }, i), nodes.map((j) => {
          const d = at.get(`${i}/${j}`);
          return h('td', { style: { background: `color-mix(in srgb, var(${i === j ? '--local' : '--hot'}) ${i === j ? 25 : Math.round((45 * (d - 10)) / (most - 10))}%, transparent)` } }, d ?? '–');
        }))))) : 'The distances are not known.';
    },
    note: () => 'As the kernel has them: 10 is local, 20 twice as far.',
  });
}

function matrixFigure() {
  const exact = !isFiltered();
  return figure({
    title: 'From node to node',
    sql: exact
      ? "SELECT cpu_node, home, distance, samples, estimate, share_pct, share_low_pct, share_high_pct, home_pct\nFROM matrix\nWHERE scope = 'run'\nORDER BY cpu_node, home"
      : `${chosen()}\nSELECT cpu_node, home, NULL AS distance, count(*) AS samples, sum(estimate) AS estimate\nFROM chosen\nWHERE place IS NOT NULL\nGROUP BY cpu_node, home`,
    draw: (rows) => (rows.length ? matrix(rows, 'Samples by node of the thread and node of the page') : 'No node is known.'),
    note: (rows) => `${count(rows.reduce((sum, r) => sum + r.samples, 0))} samples with an address${exact ? '' : ' of what is chosen'}.`,
  });
}

function requestsFigure() {
  const exact = !isFiltered();
  return figure({
    title: 'Load of each node',
    sql: `${exact ? 'WITH' : `${chosen()},`} known AS (\n    SELECT home, estimate, ${exact ? 'samples' : '1 AS samples'} FROM ${exact ? "matrix WHERE scope = 'run'" : 'chosen WHERE object_id IS NOT NULL'}
  )
SELECT home, sum(samples) AS samples, 100.0 * sum(estimate) / sum(sum(estimate)) OVER () AS pct
FROM known
GROUP BY home
ORDER BY home IS NULL, home`,
    draw: (rows) => (rows.length ? h('table', { class: 'plain' },
      heads(['Node', 'Share of the samples', '#Samples']),
      h('tbody', {}, rows.map((r) => h('tr', {}, h('th', { scope: 'row' }, r.home === null ? 'not known' : `node ${r.home}`), h('td', { class: 'wide' }, shareBar(r.pct)), h('td', { class: 'number' }, count(r.samples)))))) : 'No home is known.'),
    note: (all) => {
      const rows = all.filter((r) => r.home !== null);
      const known = rows.reduce((sum, r) => sum + r.pct, 0);
      const mean = known / Math.max(model.nodes.filter((n) => n.mem_total_bytes !== 0).length, rows.length);
      return rows.length > 0 && model.run.nodes > 1 ? `Imbalance ${(Math.max(...rows.map((r) => r.pct)) / mean).toFixed(2)}: the most loaded node against the mean; 1 is even. Homes are known for ${percent(known, 0)}.` : '';
    },
  });
}

function verdictsFigure() {
  return figure({
    title: 'Is better placement worth it?',
    wide: true,
    sql: 'SELECT scope, function, measure, remote_by, low, high, threshold, known_pct, verdict\nFROM verdicts\nWHERE scope = \'run\' OR verdict NOT LIKE \'cannot tell%\'\nLIMIT 30',
    draw: (rows) => (rows.length ? h('table', { class: 'plain' },
      heads(['Of', 'Remote by', '#At least', '#At most', '#Threshold', 'Unit', '#Known', 'Verdict']),
      h('tbody', {}, rows.map((r) => h('tr', {}, h('th', { scope: 'row' }, r.scope === 'run' ? model.whole : short(r.function ?? 'not known', 40)), h('td', {}, r.remote_by),
        ...[r.low, r.high, r.threshold].map((v) => h('td', { class: 'number' }, v === null ? '–' : v.toPrecision(3))), h('td', {}, r.measure ?? '–'),
        h('td', { class: 'number' }, percent(r.known_pct, 0)), h('td', {}, visible(r.verdict ?? '')))))) : model.run.nodes === 1 ? 'The machine has one node: memory is as near as it can be.' : 'Nothing tells.'),
    note: (rows) => (rows.length ? `Of ${model.whole}, and of functions of which it can be told.` : ''),
  });
}

export function machine() {
  return [h('div', { class: 'columns' }, nodesFigure(), distancesFigure(), matrixFigure(), requestsFigure()), verdictsFigure()];
}

export const title = () => 'Machine';
