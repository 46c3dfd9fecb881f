// SPDX-License-Identifier: GPL-2.0-or-later
// The data that all pages use: the run, names of objects and threads, and the sampled points that
// the reader has chosen.
import { all, literal, one, run } from './db.js';
import { state } from './state.js';

export const model = {};

export function load() {
  run(`CREATE INDEX points_object ON points (object_id);
    CREATE INDEX paths_parent ON paths (parent_id);
    CREATE INDEX paths_location ON paths (location_id);
    CREATE INDEX frames_location ON frames (location_id, depth)`);
  model.run = one('SELECT * FROM run');
  // model.whole: what the page shows while the reader has chosen no part of it
  model.whole = one("SELECT 1 AS yes FROM sentences WHERE part = 'selection'") ? 'the selection' : 'the whole run';
  model.objects = new Map(all('SELECT * FROM objects').map((o) => [o.object_id, o]));
  model.threads = new Map(all('SELECT * FROM threads').map((t) => [t.thread_id, t]));
  model.nodes = all('SELECT * FROM nodes');
  model.points = one("SELECT rows, kept FROM contents WHERE name = 'points'");
  // model.byCost: rows are ranked by cost; if there are too few samples for costs, by number of
  // samples.
  model.byCost = Boolean(model.run?.claims && model.run.cost > 0);
  // model.share: which share the tables show: 'cost'; 'access' if no time was measured; null if
  // there are only numbers of samples.
  model.share = model.byCost ? 'cost' : model.run?.claims && !model.run.cost && !model.run.thread_time ? 'access' : null;
  model.unit = model.run?.cost_unit;
  model.hardware = model.unit === 'latency';
  model.everyNth = model.run ? ((model.run.one_in ?? 1) * model.points.rows) / Math.max(1, model.points.kept) : 1;
}

export const weight = () => (model.byCost ? 'cost' : 'estimate');
export const weightAll = () => (model.byCost ? 'cost + lost_cost' : 'estimate');
// Returns SQL for the sum of the squares of the SQL expression e, which confidence intervals need.
// It is 0 if every access was counted, because then nothing is estimated.
export const squares = (e) => (model.run.counted && model.everyNth <= 1 ? '0.0' : `sum(1.0 * (${e}) * (${e}))`);
export const weightName = () => (!model.byCost ? (model.share ? 'accesses' : 'samples') : model.hardware ? 'latency' : 'waiting time');

// shareColumns() returns SQL for three columns, share_pct, share_low_pct and share_high_pct: a
// share and its confidence interval. byShare() returns the start of an ORDER BY that ranks by this
// share.
export const shareColumns = () => (model.share ? ['pct', 'low_pct', 'high_pct'].map((c) => `${model.share}_${c} AS share_${c}`).join(', ') : 'NULL AS share_pct');
// Rows with a share below LEAST percent are not listed; aboveLeast() returns the SQL condition for
// that.
export const LEAST = 0.05;
export const aboveLeast = () => (model.share ? `${model.share}_pct >= ${LEAST}` : '1');
export const byShare = () => (model.share ? 'share_pct DESC, ' : '');

// Returns the start of a statement, "WITH … chosen AS (…)", whose table `chosen` has the points
// that the choices in state.js select. The caller appends a comma and further tables, or the
// statement. `but` names choices that are ignored.
export function chosen(but = []) {
  const where = [];
  let before = '';
  const has = (key) => state[key] !== null && !but.includes(key);
  if (has('object')) {
    where.push(`object_id = ${literal(state.object)}`);
  }
  if (has('thread')) {
    where.push(`thread_id = ${literal(state.thread)}`);
  }
  if (has('from')) {
    where.push(`time_us >= ${Math.floor(state.from * 1e6)}`);
  }
  if (has('to')) {
    where.push(`time_us < ${Math.ceil(state.to * 1e6)}`);
  }
  if (has('function')) {
    before = `  code (location_id) AS (
    SELECT location_id FROM frames WHERE function = ${literal(state.function)}
  ),
  inside (id) AS ( -- what the function called, and itself
    SELECT id FROM paths WHERE location_id IN (SELECT location_id FROM code)
    UNION
    SELECT p.id FROM inside AS i JOIN paths AS p ON p.parent_id = i.id
  ),
`;
    where.push('(path_id IN (SELECT id FROM inside) OR location_id IN (SELECT location_id FROM code))');
  }
  return `WITH RECURSIVE
${before}  chosen AS (
    SELECT * FROM points${where.length ? `\n    WHERE ${where.join('\n      AND ')}` : ''}
  )`;
}

// Returns a text for the note of a picture that says from how many samples, n, it is drawn.
export function drawn(n) {
  const { rows, kept } = model.points;
  const thinned = model.everyNth > 1.01 ? `, one in ${model.everyNth < 10 ? model.everyNth.toFixed(1) : Math.round(model.everyNth)} of ${model.whole}` : '';
  return `${n.toLocaleString('en-US').replaceAll(',', '\u202f')} samples${kept < rows || thinned ? thinned : ''}`;
}

export function threadName(id) {
  const t = model.threads.get(id);
  return t ? `${t.tid} ${t.comm ?? ''}`.trim() : id === null ? 'not known' : `thread ${id}`;
}

export function objectName(id) {
  return model.objects.get(id)?.object ?? (id === null ? '[no object]' : `object ${id}`);
}

// Returns the position of a thread in the list of threads, which decides its colour.
export function threadPlace(id) {
  return [...model.threads.keys()].sort((a, b) => a - b).indexOf(id);
}
