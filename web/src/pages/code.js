// SPDX-License-Identifier: GPL-2.0-or-later
// The page of code: cost of memory as a flame graph, by function and by line.
import { literal, one } from '../db.js';
import { h } from '../dom.js';
import { choice, figure, heads } from '../figure.js';
import { count, place, remoteShare, short, visible } from '../format.js';
import { LEAST, aboveLeast, byShare, chosen, drawn, model, shareColumns, squares, weightAll, weightName } from '../model.js';
import { shareBar } from '../pictures/bar.js';
import { flame, tree } from '../pictures/flame.js';
import { address, go, isFiltered, state } from '../state.js';
import { shareInterval } from '../stats.js';

function flameFigure() {
  let by = model.byCost ? 'cost' : model.share ? 'accesses' : 'samples';
  const slot = h('div', {});
  const options = [...(model.byCost ? [['cost', model.hardware ? 'Latency' : 'Waiting time']] : []), ...(model.run.thread_time ? [['time', 'All time']] : []), ...(model.share === 'access' ? [['accesses', 'Accesses']] : []), ['samples', 'Samples']];
  const measure = { cost: weightAll(), time: 'estimate', accesses: 'estimate', samples: '1' };
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

// Returns SQL for the cost of the chosen points by the columns `key`, in groups by `order`, with
// the sums that confidence intervals need.
function estimated(key, order) {
  return `${chosen()},
  sums AS (
    SELECT ${key}, sum(${weightAll()}) AS w, count(*) AS samples, count(c.place) AS addressed
    FROM chosen AS c
    LEFT JOIN frames AS f ON f.location_id = c.location_id AND f.depth = 0
    GROUP BY ${order}
  )
SELECT s.*, 100.0 * s.w / a.n AS share_pct, a.n, a.sq
FROM sums AS s
CROSS JOIN (SELECT nullif(sum(${weightAll()}), 0) AS n, ${squares(weightAll())} AS sq FROM chosen) AS a
WHERE a.n IS NULL OR s.w * 100 >= ${LEAST} * a.n
ORDER BY s.w DESC, s.samples DESC
LIMIT 25`;
}

const bar = (r) => {
  const [low, high] = 'share_low_pct' in r ? [r.share_low_pct, r.share_high_pct] : shareInterval(r.w, r.n, r.sq);
  return shareBar(r.share_pct, low, high);
};

const shares = (exact) => (exact ? `Shares of the ${weightName()} of ${model.whole}, with the 95 % interval.` : 'Estimated from what is chosen.');
const cut = (rows) => (rows.length === 25 ? ' The first 25.' : model.share ? ` What has less than ${LEAST} % is not listed.` : '');

function functionsFigure() {
  const exact = !isFiltered();
  return figure({
    title: 'Functions',
    sql: exact
      ? `SELECT function, symbol, dso, samples, addressed, ${shareColumns()}, latency_avg, remote_pct, remote_low_pct, remote_high_pct, home_pct\nFROM functions\nWHERE ${aboveLeast()}\nORDER BY ${byShare()}samples DESC\nLIMIT 25`
      : estimated('f.function AS function', 'f.function'),
    draw: (rows) => (rows.length ? h('table', { class: 'plain' }, heads(['Function', ...(model.share ? ['Share'] : []), '#Samples']),
      h('tbody', {}, rows.map((r) => h('tr', { class: r.function === state.function ? 'chosen' : null },
        h('th', { scope: 'row' }, r.function === null ? 'not known' : h('a', { class: 'code', href: address({ function: r.function }), title: visible(r.function) }, short(r.function, 56)),
          r.symbol ? h('span', { class: 'from', title: visible(r.symbol) }, `in ${short(r.symbol, 56)}`) : r.dso && h('span', { class: 'from' }, visible(r.dso))),
        model.share && h('td', { class: 'wide' }, bar(r)), h('td', { class: 'number' }, count(r.samples)))))) : 'There are no samples.'),
    note: (rows) => `${shares(exact)}${cut(rows)} A function that is chosen restricts all pictures to it and what it calls.`,
  });
}

function linesFigure() {
  const exact = !isFiltered();
  return figure({
    title: 'Source lines',
    sql: exact
      ? `SELECT function, file, line, samples, ${shareColumns()}, lost_cost_pct, latency_avg, remote_pct, remote_low_pct, remote_high_pct, home_pct\nFROM lines\nWHERE ${aboveLeast()}\nORDER BY ${byShare()}samples DESC\nLIMIT 25`
      : estimated('f.function AS function, f.file AS file, f.line AS line', 'f.function, f.file, f.line'),
    draw: (rows) => (rows.length ? h('table', { class: 'plain' },
      heads(['Line', ...(model.share ? ['Share'] : []), '#Samples', ...(rows.some((r) => r.remote_pct > 0) ? ['#Remote'] : [])]),
      h('tbody', {}, rows.map((r) => h('tr', {},
        h('th', { scope: 'row' }, h('span', { class: 'code', title: visible(r.file ?? '') }, place(r.file, r.line) || short(r.function ?? 'not known', 48)), h('span', { class: 'from', title: visible(r.function ?? '') }, r.file === null ? 'no line numbers' : short(r.function ?? '', 48))),
        model.share && h('td', { class: 'wide' }, bar(r)), h('td', { class: 'number' }, count(r.samples)),
        rows.some((x) => x.remote_pct > 0) && h('td', { class: 'number' }, remoteShare(r)[0], h('small', {}, remoteShare(r)[1])))))) : 'There are no samples.'),
    note: (rows) => shares(exact) + cut(rows),
  });
}

// Returns the function whose source is shown: the chosen one, otherwise the one with the costliest
// line whose text is known.
function sourceFunction() {
  return state.function ?? one(`SELECT function FROM functions WHERE function IN (SELECT function FROM lines WHERE text IS NOT NULL) GROUP BY function ORDER BY ${model.share ? `sum(${model.share}_pct) DESC, ` : ''}sum(samples) DESC LIMIT 1`)?.function ?? null;
}

// Returns SQL for the lines of a function. If nothing but a function is chosen, shares come from
// the table `lines`, which has all samples; otherwise they are estimated from the chosen points.
function sourceSql(name) {
  const of = literal(name);
  if (!isFiltered(['function'])) {
    return `SELECT file, line, text, samples, ${shareColumns()}, accesses\nFROM lines\nWHERE function = ${of}\nORDER BY file, line`;
  }
  return `${chosen(['function'])},
  sums AS (
    SELECT f.file, f.line, sum(${weightAll()}) AS w, count(*) AS samples
    FROM chosen AS c
    JOIN frames AS f ON f.location_id = c.location_id AND f.depth = 0
    WHERE f.function = ${of}
    GROUP BY f.file, f.line
  )
SELECT s.file, s.line, l.text, s.samples, 100.0 * s.w / a.n AS share_pct, s.w, a.n, a.sq, l.accesses
FROM sums AS s
CROSS JOIN (SELECT nullif(sum(${weightAll()}), 0) AS n, ${squares(weightAll())} AS sq FROM chosen) AS a
LEFT JOIN lines AS l ON l.function = ${of} AND l.file IS s.file AND l.line IS s.line
ORDER BY s.file, s.line`;
}

// Creates the table rows for a source line r: its cost and text, and below it what it accesses. If
// lines are left out between r and `before`, the row above it, a mark shows that.
function sourceRows(r, before) {
  const gap = before && before.file === r.file && r.line > before.line + 1;
  return [
    gap && h('tr', {}, h('td', { class: 'number gap', colspan: model.share ? 3 : 2 }, '⋯'), h('td', {})),
    h('tr', {},
      model.share && h('td', { class: 'wide' }, bar(r)),
      h('td', { class: 'number' }, count(r.samples)),
      h('th', { scope: 'row', class: 'number', title: visible(r.file ?? '') }, r.line ?? '–'),
      h('td', { class: 'source' }, h('code', {}, r.text === null ? place(r.file, r.line) || 'not known' : visible(r.text.replaceAll('\t', '    '))),
        r.accesses && h('span', { class: 'from' }, `→ ${visible(r.accesses)}`))),
  ];
}

function sourceFigure() {
  const name = sourceFunction();
  if (name === null) {
    return null;
  }
  return figure({
    title: 'Annotated source',
    sql: sourceSql(name),
    wide: true,
    draw: (rows) => (rows.length ? h('table', { class: 'plain' }, heads([...(model.share ? ['Share'] : []), '#Samples', '#Line', 'Source and what it accesses']),
      h('tbody', {}, rows.flatMap((r, i) => sourceRows(r, rows[i - 1])))) : 'No sample of what is chosen is in a line of this function.'),
    note: (rows) => `Lines with samples of ${short(name, 80)}${rows[0]?.file ? ` in ${visible(rows[0].file)}` : ''}. ${shares(!isFiltered(['function']))} Lines between them are not stored; memdb annotate shows them where the source is.`,
  });
}

export function code() {
  return [flameFigure(), sourceFigure(), h('div', { class: 'columns' }, functionsFigure(), linesFigure())].filter(Boolean);
}

export const title = () => 'Code';
