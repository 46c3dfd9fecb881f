// SPDX-License-Identifier: GPL-2.0-or-later
// The page of an object: the part that each thread uses, the nodes of its pages, its use over time, and the code that allocated and placed it.
import { all, literal, one } from '../db.js';
import { h } from '../dom.js';
import { choice, figure, heads } from '../figure.js';
import { bytes, count, interval, percent, place, remoteShare, short, visible } from '../format.js';
import { byShare, chosen, drawn, model, objectName, shareColumns, squares, threadName, threadPlace, weight, weightName } from '../model.js';
import { framesSql, pathList } from '../paths.js';
import { shareBar } from '../pictures/bar.js';
import { accessKinds, heat, nodeKinds } from '../pictures/heat.js';
import { matrix } from '../pictures/matrix.js';
import { ranges } from '../pictures/ranges.js';
import { histogram, scatter } from '../pictures/time.js';
import { address, go, isFiltered, state } from '../state.js';
import { shareInterval } from '../stats.js';

const BINS = 64;

// Creates the list of all objects, as links; that of the object `current` is marked.
function list(current) {
  const rows = [...model.objects.values()].filter((o) => o.object_id !== null && o.addressed > 0).sort((a, b) => a.rank - b.rank);
  const value = (o) => (model.share ? o[`${model.share}_pct`] : o.addressed);
  const most = Math.max(...rows.map((o) => value(o) ?? 0), 1e-9);
  return h('nav', { class: 'list', 'aria-label': 'Objects' },
    h('h2', {}, 'Objects'),
    h('ul', {}, rows.map((o) => h('li', {},
      h('a', { href: address({ page: 'object', object: o.object_id }), 'aria-current': o.object_id === current ? 'true' : null, title: visible(o.object) },
        h('span', { class: 'back', 'aria-hidden': 'true', style: { width: `${(100 * (value(o) ?? 0)) / most}%` } }),
        h('span', { class: 'name' }, short(o.object, 34)),
        h('span', { class: 'value' }, model.share ? percent(value(o)) : count(o.addressed)))))));
}

function fact(name, value, more) {
  return value === null || value === undefined || value === '' ? null : h('div', {}, h('dt', {}, name), h('dd', {}, value, more && h('small', {}, ` ${more}`)));
}

function head(o) {
  const sharing = all(`SELECT sharing, cache_lines, share_pct, share_low_pct, share_high_pct FROM sharing WHERE object_id = ${o.object_id}`);
  return h('header', { class: 'head' },
    h('h2', { class: 'name' }, short(o.object, 200)),
    h('p', { class: 'note' }, `${o.kind}${o.function ? `, ${o.kind === 'heap' ? 'allocated in' : 'of'} ${short(o.function, 80)}` : ''} `, h('span', { title: visible(o.file ?? '') }, place(o.file, o.line))),
    h('dl', { class: 'numbers' },
      model.share && fact(`Share of ${weightName()}`, percent(o[`${model.share}_pct`]), interval(o[`${model.share}_low_pct`], o[`${model.share}_high_pct`])),
      model.byCost && o.time_most_pct !== null && fact('Share of thread time', percent(o.time_pct), `at most ${percent(o.time_most_pct)}, with all that may have waited for it`),
      fact('Samples', count(o.addressed), `${count(o.loads)} read, ${count(o.stores)} write`),
      o.pattern && fact('Use', visible(o.pattern)),
      fact('Threads', String(o.threads), o.writers ? `${o.writers} seen writing` : 'no write seen'),
      fact('Size', `${o.estimated ? '~ ' : ''}${bytes(o.size_bytes)}`, o.allocations > 1 ? `at a time, ${count(o.allocations)} blocks` : ''),
      o.latency_avg !== null && fact('Mean latency', `${count(o.latency_avg)} cycles`),
      o.remote_pct !== null && fact('Remote', ...remoteShare(o)),
      o.delta !== null && fact('Distance δ', o.delta.toFixed(3), `${interval(o.delta_low, o.delta_high, 3)}, 0: all local`),
      sharing.map((s) => fact({ 'false sharing': 'False sharing', 'true sharing': 'True sharing' }[s.sharing] ?? 'Shared, cannot tell how', percent(s.share_pct), `${interval(s.share_low_pct, s.share_high_pct)}, ${count(s.cache_lines)} cache lines`))),
    o.advice && h('p', { class: 'try' }, h('strong', {}, 'Try: '), visible(o.advice)));
}

// Returns the positions that the pictures show along the object: 'page' for an object of many small blocks, otherwise
// 'offset'. An offset within a small block would not show which thread uses which block.
function axisOf(o) {
  return o.kind === 'heap' && o.allocations > 1 && o.allocated_bytes / o.allocations < 16384 ? 'page' : 'offset';
}

function binOf(axis, n) {
  return axis === 'page'
    ? `(page - 1) * ${n} / (SELECT max(page) FROM points WHERE object_id = ${state.object})`
    : `min(${n - 1}, place * ${n} / 1000000)`;
}

function spot(axis) {
  return axis === 'page' ? `(page - 1) * 1000000 / (SELECT max(page) FROM points WHERE object_id = ${state.object})` : 'place';
}

const AXIS = { offset: 'from the first to the last byte of the block', page: 'pages with samples, by address' };

// Returns a function that converts a position along an object, 0 to 1, to a label: in bytes if the
// object is one block of known size, otherwise in percent.
function xText(o, axis) {
  return (part) => (axis === 'offset' && o.size_bytes && !(o.allocations > 1) ? bytes(part * o.size_bytes) : percent(100 * part, 0));
}

// Returns the calling contexts in which the object is used most: [{ parent_id, function, text }]. A context is a function with
// all its callers; parent_id, the path of the callers, is null if there is no call path.
function contextsOf() {
  const rows = all(`${chosen()},
  codes AS (
    SELECT p.parent_id, f.function, sum(${weight()}) AS w
    FROM chosen AS c
    LEFT JOIN paths AS p ON p.id = c.path_id
    JOIN frames AS f ON f.location_id = c.location_id AND f.depth = 0
    WHERE c.place IS NOT NULL
    GROUP BY p.parent_id, f.function
    ORDER BY w DESC
    LIMIT 12
  )
SELECT c.parent_id, c.function, f.function AS caller
FROM codes AS c
LEFT JOIN paths AS p ON p.id = c.parent_id
LEFT JOIN frames AS f ON f.location_id = p.location_id AND f.depth = 0
ORDER BY c.w DESC`);
  return rows.map((r) => ({ ...r, text: `${short(r.function, 40)}${r.caller ? ` ← ${short(r.caller, 40)}` : ''}` }));
}

// Creates a list from which the reader chooses one of the contexts, or all.
function contextChoice(contexts, value, change) {
  return h('select', { 'aria-label': 'Calling context', onchange: (e) => change(Number(e.target.value)) },
    h('option', { value: -1 }, 'in all code'), contexts.map((c, i) => h('option', { value: i, selected: i === value ? '' : null }, `in ${c.text}`)));
}

function rangesFigure(o, axis, width) {
  const contexts = contextsOf();
  const slot = h('div', {});
  const show = (at) => {
    const c = contexts[at];
    const within = c ? `
  AND location_id IN (SELECT location_id FROM frames WHERE depth = 0 AND function = ${literal(c.function)})
  AND ${c.parent_id === null ? 'path_id IS NULL' : `path_id IN (SELECT id FROM paths WHERE parent_id = ${c.parent_id})`}` : '';
    slot.replaceChildren(figure({
      title: 'Who uses which part',
      sql: `${chosen()}
SELECT thread_id, ${binOf(axis, BINS)} AS bin, sum(${weight()}) AS w, count(*) AS samples,
  min(${spot(axis)}) AS lo, max(${spot(axis)}) AS hi
FROM chosen
WHERE ${axis === 'page' ? 'page' : 'place'} IS NOT NULL${within}
GROUP BY thread_id, bin`,
      wide: true,
      tools: contexts.length > 1 ? [contextChoice(contexts, at, show)] : [],
      draw: (rows) => (rows.length ? ranges(rows, { bins: BINS, threadName: (t) => short(threadName(t), 18), width: width - 150, xText: xText(o, axis) }) : 'No sample of what is chosen has a place in this object.'),
      note: (rows) => `A row for each thread, ${AXIS[axis]}; the line spans what it uses, the colour is its ${weightName()}. Marked below: the hot parts, the fewest with 90 %. ${drawn(rows.reduce((sum, r) => sum + r.samples, 0))}.`,
    }));
  };
  show(-1);
  return slot;
}

function heatFigure(o, axis, width) {
  const bins = 96;
  const byNode = model.run.nodes > 1;
  return figure({
    title: byNode ? 'Where its pages are, and who uses them' : 'Who reads and who writes which part',
    sql: `${chosen()}
SELECT thread_id, ${binOf(axis, bins)} AS bin, ${byNode ? 'home' : 'store'} AS kind, sum(${weight()}) AS w, count(*) AS samples, count(DISTINCT page) AS pages
FROM chosen
WHERE ${axis === 'page' ? 'page' : 'place'} IS NOT NULL
GROUP BY thread_id, bin, kind`,
    wide: true,
    draw: (rows) => (rows.length ? heat(rows, { bins, threadName: (t) => short(threadName(t), 18), width: width - 150, kinds: byNode ? nodeKinds : accessKinds, xText: xText(o, axis) }) : 'No sample of what is chosen has a page in this object.'),
    note: (rows) => `Columns: ${AXIS[axis]}${byNode ? '; colour: the node on which the pages are' : '; colour: whether it is read or written there'}; strength: ${weightName()}. ${drawn(rows.reduce((sum, r) => sum + r.samples, 0))}.`,
  });
}

function scatterFigure(o, axis, width) {
  const colours = { thread: 'thread_id', node: 'home', store: 'store' };
  const many = model.run.nodes > 1;
  let by = many ? 'node' : 'thread';
  const slot = h('div', {});
  const show = () => slot.replaceChildren(figure({
    title: 'When which part is used',
    sql: `${chosen()}
SELECT time_us, ${spot(axis)} AS y, ${colours[by]} AS g
FROM chosen
WHERE ${axis === 'page' ? 'page' : 'place'} IS NOT NULL
ORDER BY time_us
LIMIT 40000`,
    wide: true,
    tools: [choice('Colour', [['thread', 'Thread'], ...(many ? [['node', 'Node']] : []), ['store', 'Read or write']], by, (v) => { by = v; show(); })],
    draw: (rows) => (rows.length ? scatter(rows, {
      width, groups: new Set(rows.map((r) => r.g).sort((a, b) => a - b)), length: model.run.seconds, from: state.from, to: state.to,
      names: {
        place: (g) => (by === 'thread' ? threadPlace(g) : g),
        text: (g) => (by === 'thread' ? threadName(g) : by === 'node' ? (g === null ? 'node not known' : `node ${g}`) : g ? 'write' : 'read'),
      },
      label: `${rows.length} samples by time and place in the object`, yName: axis === 'page' ? 'pages by address, % of all' : 'place, % of the size',
      choose: (from, to) => go({ from, to }),
    }) : 'No sample of what is chosen has a place in this object.'),
    note: (rows) => `Each point is a sample: time, and ${AXIS[axis]}. Drag to choose a range of time. ${drawn(rows.length)}.`,
  }));
  show();
  return slot;
}

function matrixFigure() {
  const exact = !isFiltered(['object']);
  return figure({
    title: 'From node to node',
    sql: exact
      ? `SELECT cpu_node, home, distance, samples, estimate, share_pct, share_low_pct, share_high_pct, home_pct\nFROM matrix\nWHERE scope = 'object' AND object_id = ${state.object}\nORDER BY cpu_node, home`
      : `${chosen()}\nSELECT cpu_node, home, NULL AS distance, count(*) AS samples, sum(estimate) AS estimate\nFROM chosen\nWHERE page IS NOT NULL\nGROUP BY cpu_node, home`,
    draw: (rows) => (rows.length ? matrix(rows, 'Samples by node of the thread and node of the page') : 'No node is known.'),
    note: (rows) => `${count(rows.reduce((sum, r) => sum + r.samples, 0))} samples${exact ? '' : ' of what is chosen'}, by node of the CPU and of the page.`,
  });
}

function latencyFigures(width) {
  return [
    figure({
      title: 'Latency',
      sql: `${chosen()}
SELECT CAST(2 * log2(latency) AS INTEGER) AS class, min(latency) AS lowest, max(latency) AS highest, count(*) AS samples
FROM chosen
WHERE latency > 0
GROUP BY class
ORDER BY class`,
      draw: (rows) => (rows.length ? histogram(classes(rows), { width, label: 'Samples by latency', xName: 'core cycles', yName: 'samples' }) : 'No latency was measured here.'),
      note: (rows) => `Latency of an access; a bar begins at its number and is half a power of two wide. ${drawn(rows.reduce((sum, r) => sum + r.samples, 0))}.`,
    }),
    figure({
      title: 'What served the accesses',
      sql: isFiltered(['object'])
        ? `${chosen()}
SELECT level AS answer, count(*) AS samples, 100.0 * sum(estimate) / sum(sum(estimate)) OVER () AS share_pct, NULL AS share_low_pct, NULL AS share_high_pct,
  1.0 * sum(latency * estimate) / nullif(sum(iif(latency IS NOT NULL, estimate, 0)), 0) AS latency_avg
FROM chosen
WHERE level IS NOT NULL
GROUP BY level
ORDER BY samples DESC`
        : `SELECT answer, samples, share_pct, share_low_pct, share_high_pct, latency_avg
FROM data_sources
WHERE scope = 'object' AND object_id = ${state.object} AND question = 'level'
ORDER BY samples DESC`,
      draw: (rows) => (rows.length ? h('table', { class: 'plain' },
        heads(['Level', 'Share', '#Samples', '#Mean latency']),
        h('tbody', {}, rows.map((r) => h('tr', {}, h('th', { scope: 'row' }, visible(r.answer)), h('td', { class: 'wide' }, shareBar(r.share_pct, r.share_low_pct, r.share_high_pct)),
          h('td', { class: 'number' }, count(r.samples)), h('td', { class: 'number' }, r.latency_avg === null ? '–' : `${count(r.latency_avg)} cycles`))))) : 'The hardware does not say.'),
      note: () => '',
    }),
  ];
}

// Converts rows with the number of samples of each class of latency to bars of the histogram: {
// name: latency, w: samples }. Classes without samples are included.
function classes(rows) {
  const at = new Map(rows.map((r) => [r.class, r.samples]));
  const list = [];
  for (let c = rows[0].class; c <= rows.at(-1).class; c++) {
    list.push({ name: String(Math.round(2 ** (c / 2))), w: at.get(c) ?? 0 });
  }
  return list;
}

function codeFigure() {
  const exact = !isFiltered(['object']);
  return figure({
    title: 'Which code uses it',
    sql: exact
      ? `SELECT function, symbol, addressed, stores, ${shareColumns()}\nFROM function_objects\nWHERE object_id = ${state.object} AND addressed > 0\nORDER BY ${byShare()}addressed DESC\nLIMIT 20`
      : `${chosen()}
SELECT f.function, count(*) AS addressed, sum(store) AS stores, 100.0 * sum(${weight()}) / nullif(sum(sum(${weight()})) OVER (), 0) AS share_pct, NULL AS share_low_pct, NULL AS share_high_pct
FROM chosen AS c
LEFT JOIN frames AS f ON f.location_id = c.location_id AND f.depth = 0
GROUP BY f.function
ORDER BY 4 DESC, 2 DESC
LIMIT 20`,
    draw: (rows) => (rows.length ? h('table', { class: 'plain' },
      heads(['Function', ...(model.share ? ['Share'] : []), '#Samples', '#Of these write']),
      h('tbody', {}, rows.map((r) => h('tr', {},
        h('th', { scope: 'row', class: 'code' }, r.function === null ? 'not known' : h('a', { href: address({ function: r.function }), title: visible(r.function) }, short(r.function, 60)), r.symbol && h('span', { class: 'from', title: visible(r.symbol) }, `in ${short(r.symbol, 60)}`)),
        model.share && h('td', { class: 'wide' }, shareBar(r.share_pct, r.share_low_pct, r.share_high_pct)),
        h('td', { class: 'number' }, count(r.addressed)), h('td', { class: 'number' }, count(r.stores)))))) : 'No function of what is chosen uses it.'),
    note: () => (exact ? `Shares are of ${model.whole}. A function that is chosen restricts all pictures.` : 'Shares are of what is chosen.'),
  });
}

function membersFigure(o) {
  const has = all(`SELECT count(*) AS n FROM members WHERE object_id = ${o.object_id}`)[0].n;
  const exact = !isFiltered(['object']);
  return has === 0 ? null : figure({
    title: 'Members of its type',
    wide: true,
    sql: exact
      ? `SELECT member, member_type, offset, size_bytes, cache_line, drawn, stores, threads, writers, object_pct, object_low_pct, object_high_pct, cost_pct, cost_low_pct, cost_high_pct, type, type_bytes\nFROM members\nWHERE object_id = ${o.object_id}\nORDER BY offset`
      : `${chosen()},
  sums AS (
    SELECT member_id, sum(estimate) AS w, count(*) AS drawn, sum(store) AS stores, count(DISTINCT thread_id) AS threads
    FROM chosen
    WHERE place IS NOT NULL
    GROUP BY member_id
  )
SELECT m.member, m.member_type, m.offset, m.size_bytes, m.cache_line, coalesce(s.drawn, 0) AS drawn, coalesce(s.stores, 0) AS stores,
  coalesce(s.threads, 0) AS threads, 100.0 * coalesce(s.w, 0) / a.n AS object_pct, coalesce(s.w, 0) AS w, a.n, a.sq, m.type, m.type_bytes
FROM members AS m
LEFT JOIN sums AS s ON s.member_id = m.member_id
CROSS JOIN (SELECT sum(estimate) AS n, ${squares('estimate')} AS sq FROM chosen WHERE place IS NOT NULL) AS a
WHERE m.object_id = ${o.object_id}
ORDER BY m.offset`,
    draw: (rows) => (rows.length ? h('table', { class: 'plain' },
      heads(['Member', '#Offset', '#Size', 'Share of its samples', '#Samples', '#Of these write', '#Threads']),
      h('tbody', {}, rows.map((r, i) => h('tr', { class: i > 0 && r.cache_line !== rows[i - 1].cache_line ? 'line' : null },
        h('th', { scope: 'row' }, h('span', { class: r.drawn ? 'code' : 'code null', title: visible(r.member) }, short(r.member, 60)), h('span', { class: 'from', title: visible(r.member_type ?? '') }, short(r.member_type ?? '', 60))),
        h('td', { class: 'number' }, count(r.offset)), h('td', { class: 'number' }, bytes(r.size_bytes)), h('td', { class: 'wide' }, shareBar(r.object_pct, ...('w' in r ? shareInterval(r.w, r.n, r.sq) : [r.object_low_pct, r.object_high_pct]))),
        h('td', { class: 'number' }, r.drawn ? count(r.drawn) : 'cold'), h('td', { class: 'number' }, count(r.stores)), h('td', { class: 'number' }, count(r.threads)))))) : 'No member is known.'),
    note: (rows) => (rows.length ? `${short(rows[0].type ?? 'its type', 80)}, ${bytes(rows[0].type_bytes)}, over all elements; ${rows[0].cache_line === null ? 'elements start at different places of a cache line' : 'a strong line: a new cache line, if the first element starts with one'}. ${count(rows.reduce((sum, r) => sum + r.drawn, 0))} drawn samples of ${exact ? model.whole : 'what is chosen'}.` : ''),
  });
}

function touchFigure() {
  return figure({
    title: 'Who touched its pages first',
    wide: true,
    sql: `SELECT function, file, line, inside, tid, comm, home, sum(pages) AS pages, sum(bytes) AS bytes, sum(bytes_pct) AS bytes_pct, sum(unpinned_bytes) AS unpinned_bytes\nFROM first_touches\nWHERE object_id = ${state.object}${state.thread === null ? '' : ` AND thread_id = ${state.thread}`}\nGROUP BY function, file, line, inside, thread_id, home\nORDER BY sum(bytes) DESC, function, line, thread_id\nLIMIT 20`,
    draw: (rows) => (rows.length ? h('table', { class: 'plain' },
      heads(['Code', 'Thread', '#Pages on node', '#Pages', '#Size', 'Share']),
      h('tbody', {}, rows.map((r) => h('tr', {},
        h('th', { scope: 'row' }, h('span', { class: 'code', title: visible(r.function) }, short(r.function, 40)), h('span', { class: 'from' }, `${place(r.file, r.line)}${r.inside ? ` in ${short(r.inside, 24)}` : ''}`)),
        h('td', {}, `${r.tid ?? ''} ${visible(r.comm ?? '')}`), h('td', { class: 'number' }, r.home ?? '–'), h('td', { class: 'number' }, count(r.pages)),
        h('td', { class: 'number' }, bytes(r.bytes)), h('td', { class: 'wide' }, shareBar(r.bytes_pct)))))) : `No page of it was placed ${state.thread === null ? 'while it was recorded' : 'by this thread'}, or page faults were not recorded.`),
    note: (rows) => (rows.length ? 'The first access to a page places it: on the node of that thread, where no policy says otherwise. All page faults of the run were counted; shares are of the object’s.' : ''),
  });
}

function touchPathFigure() {
  const from = `FROM touch_paths WHERE object_id = ${state.object}${state.thread === null ? '' : ` AND thread_id = ${state.thread}`}`;
  const { pages, n } = one(`SELECT sum(pages) AS pages, count(DISTINCT path_id) AS n ${from}`);
  return n === 0 ? null : figure({
    title: 'On which ways they were touched',
    sql: framesSql(`SELECT row_number() OVER (ORDER BY sum(pages) DESC, path_id), path_id, sum(pages) ${from} GROUP BY path_id ORDER BY sum(pages) DESC, path_id LIMIT 3`),
    draw: (rows) => h('div', {}, [...new Set(rows.map((r) => r.nr))].map((nr) => {
      const frames = rows.filter((r) => r.nr === nr);
      return [h('p', { class: 'note' }, `${percent((100 * frames[0].pages) / pages)} of the pages (${count(frames[0].pages)}):`), pathList(frames)];
    })),
    note: () => `The call paths of first touches, innermost function first${n > 3 ? `; the largest 3 of ${count(n)}` : ''}.`,
  });
}

function pathFigure(o) {
  return o.path_id === null ? null : figure({
    title: 'Who allocates it',
    sql: framesSql(`SELECT 1, path_id, NULL FROM objects WHERE object_id = ${o.object_id}`),
    draw: (rows) => pathList(rows),
    note: () => `${count(o.allocations)} block${o.allocations === 1 ? '' : 's'} of ${bytes(o.allocated_bytes)} together; innermost function first.`,
  });
}

export function object(width) {
  const first = one(`SELECT object_id FROM objects WHERE object_id IS NOT NULL ORDER BY ${model.share ? `${model.share}_pct DESC, ` : ''}addressed DESC, object_id LIMIT 1`);
  if (state.object === null && first) {
    state.object = first.object_id; // by default, the first object of the ranking
  }
  const o = model.objects.get(state.object);
  if (!o) {
    return [h('p', { class: 'empty' }, state.object === null ? 'No sample is in a known object.' : 'That object is not in this page: only those that cost most are.')];
  }
  const axis = axisOf(o);
  const inner = width > 1000 ? width - 290 : width;
  const half = inner >= 1136 ? (inner - 20) / 2 - 34 : inner - 34;
  return [h('div', { class: 'split' }, list(o.object_id), h('div', { class: 'detail' },
    head(o),
    rangesFigure(o, axis, inner - 34), scatterFigure(o, axis, inner - 34), heatFigure(o, axis, inner - 34), membersFigure(o),
    touchFigure(),
    h('div', { class: 'columns' }, model.run.nodes !== 1 && matrixFigure(), model.hardware && latencyFigures(half), codeFigure(), pathFigure(o), touchPathFigure())))];
}

export const title = () => `Object ${short(objectName(state.object), 60)}`;
