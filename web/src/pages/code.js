// SPDX-License-Identifier: GPL-2.0-or-later
// The page of code: cost of memory as a flame graph, by function and by line.
import { h } from '../dom.js';
import { choice, figure, heads } from '../figure.js';
import { count, percent, place, short, visible } from '../format.js';
import { chosen, drawn, model, weightAll, weightName } from '../model.js';
import { shareBar } from '../pictures/bar.js';
import { flame, tree } from '../pictures/flame.js';
import { address, go, isFiltered, state } from '../state.js';
import { shareInterval } from '../stats.js';

function flameFigure() {
  let by = model.byCost ? 'cost' : 'samples';
  const slot = h('div', {});
  const options = [...(model.byCost ? [['cost', model.hardware ? 'Latency' : 'Waiting time']] : []), ...(model.run.thread_time ? [['time', 'All time']] : []), ['samples', 'Samples']];
  const measure = { cost: weightAll(), time: 'estimate', samples: '1' };
  const show = () => slot.replaceChildren(figure({
    title: 'Call paths',
    sql: `${chosen()}\nSELECT path_id, sum(${measure[by]}) AS w, count(*) AS samples\nFROM chosen\nGROUP BY path_id\nHAVING w > 0\nORDER BY w DESC`,
    wide: true,
    tools: [choice('Width', options, by, (v) => { by = v; show(); })],
    draw: (rows) => (rows.length ? flame(tree(rows), { choose: (name) => go({ function: name }) }) : 'Nothing of what is chosen has any.'),
    note: (rows) => `A box is as wide as the share of its function with all that it calls. ${drawn(rows.reduce((sum, r) => sum + r.samples, 0))}. Frames of less than 0.15 % are not drawn.`,
  }));
  show();
  return slot;
}

// Returns SQL that sums the chosen points by the column `key`, with the sums for the intervals.
function estimated(key, order) {
  return `${chosen()},
  sums AS (
    SELECT ${key}, sum(${weightAll()}) AS w, count(*) AS samples, count(c.place) AS addressed
    FROM chosen AS c
    LEFT JOIN frames AS f ON f.location_id = c.location_id AND f.depth = 0
    GROUP BY ${order}
  )
SELECT s.*, 100.0 * s.w / a.n AS cost_pct, a.n, a.sq
FROM sums AS s
CROSS JOIN (SELECT nullif(sum(${weightAll()}), 0) AS n, sum(1.0 * (${weightAll()}) * (${weightAll()})) AS sq FROM chosen) AS a
ORDER BY s.w DESC, s.samples DESC
LIMIT 25`;
}

const bar = (r) => {
  const [low, high] = 'cost_low_pct' in r ? [r.cost_low_pct, r.cost_high_pct] : shareInterval(r.w, r.n, r.sq);
  return shareBar(r.cost_pct, low, high);
};

const shares = (exact) => (exact ? `Shares of the ${weightName()} of the run, with the 95 % interval.` : 'Estimated from what is chosen.');

function functionsFigure() {
  const exact = !isFiltered();
  return figure({
    title: 'Functions',
    sql: exact
      ? `SELECT function, dso, samples, addressed, cost_pct, cost_low_pct, cost_high_pct, latency_avg, remote_pct\nFROM functions\nORDER BY ${model.byCost ? 'cost_pct DESC, ' : ''}samples DESC\nLIMIT 25`
      : estimated('f.function AS function', 'f.function'),
    draw: (rows) => (rows.length ? h('table', { class: 'plain' }, heads(['Function', ...(model.byCost ? ['Share'] : []), '#Samples']),
      h('tbody', {}, rows.map((r) => h('tr', { class: r.function === state.function ? 'chosen' : null },
        h('th', { scope: 'row' }, r.function === null ? 'not known' : h('a', { class: 'code', href: address({ function: r.function }), title: visible(r.function) }, short(r.function, 56)),
          r.dso && h('span', { class: 'from' }, visible(r.dso))),
        model.byCost && h('td', { class: 'wide' }, bar(r)), h('td', { class: 'number' }, count(r.samples)))))) : 'There are no samples.'),
    note: () => `${shares(exact)} A function that is chosen restricts all pictures to it and what it calls.`,
  });
}

function linesFigure() {
  const exact = !isFiltered();
  return figure({
    title: 'Source lines',
    sql: exact
      ? `SELECT function, file, line, samples, cost_pct, cost_low_pct, cost_high_pct, lost_cost_pct, latency_avg, remote_pct\nFROM lines\nORDER BY ${model.byCost ? 'cost_pct DESC, ' : ''}samples DESC\nLIMIT 25`
      : estimated('f.function AS function, f.file AS file, f.line AS line', 'f.function, f.file, f.line'),
    draw: (rows) => (rows.length ? h('table', { class: 'plain' },
      heads(['Line', ...(model.byCost ? ['Share'] : []), '#Samples', ...(rows.some((r) => r.remote_pct > 0) ? ['#Remote'] : [])]),
      h('tbody', {}, rows.map((r) => h('tr', {},
        h('th', { scope: 'row' }, h('span', { class: 'code', title: visible(r.file ?? '') }, place(r.file, r.line) || 'not known'), h('span', { class: 'from', title: visible(r.function ?? '') }, short(r.function ?? '', 48))),
        model.byCost && h('td', { class: 'wide' }, bar(r)), h('td', { class: 'number' }, count(r.samples)),
        rows.some((x) => x.remote_pct > 0) && h('td', { class: 'number' }, percent(r.remote_pct, 0)))))) : 'There are no samples.'),
    note: () => shares(exact),
  });
}

export function code() {
  return [flameFigure(), h('div', { class: 'columns' }, functionsFigure(), linesFigure())];
}

export const title = () => 'Code';
