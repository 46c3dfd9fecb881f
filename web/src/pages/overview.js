// SPDX-License-Identifier: GPL-2.0-or-later
// The overview: the verdict, the main numbers of the run, the ranked objects, coverage and losses.
import { all, one } from '../db.js';
import { h } from '../dom.js';
import { figure, heads } from '../figure.js';
import { baseName, bytes, count, interval, percent, place, remoteShare, seconds, short, visible } from '../format.js';
import { LEAST, aboveLeast, chosen, drawn, model, shareColumns, squares, weight, weightAll, weightName } from '../model.js';
import { shareBar, stackedBar } from '../pictures/bar.js';
import { miniature } from '../pictures/ranges.js';
import { address, isFiltered, state } from '../state.js';
import { estimateRemote, shareInterval } from '../stats.js';

const BINS = 32;
const ROWS = 40;

function sentences(part) {
  return all(`SELECT sentence FROM sentences WHERE part = '${part}'`).map((r) => r.sentence);
}

// Returns the two parts of a sentence "LABEL: TEXT"; the first is empty if it has no such label.
function labelled(sentence) {
  const at = sentence.indexOf(': ');
  return at > 0 && at < 40 ? [sentence.slice(0, at + 1), sentence.slice(at + 1)] : ['', sentence];
}

function withLabel(sentence) {
  const [label, text] = labelled(sentence);
  return [label && h('strong', {}, visible(label)), visible(text)];
}

function verdict() {
  const hints = sentences('hints');
  return h('section', { class: 'verdict', 'aria-labelledby': 'verdict' },
    h('h2', { id: 'verdict' }, isFiltered() ? `Verdict of ${model.whole}` : 'Verdict'),
    sentences('verdict').map((s) => h('p', { class: 'lead' }, withLabel(s))),
    h('div', { class: 'columns' },
      h('div', {}, sentences('worth').map((s) => h('p', { class: labelled(s)[1].startsWith(' worth it') ? 'said worth' : 'said' }, withLabel(s)))),
      h('div', {}, sentences('headline').map((s) => h('p', { class: 'said' }, withLabel(s))))),
    hints.length > 0 && h('ul', { class: 'hints' }, hints.map((s) => h('li', {}, visible(s)))));
}

function tile(name, value, ...more) {
  return h('div', { class: 'tile' }, h('dt', {}, name), h('dd', {}, h('b', {}, value), more.map((m) => h('span', {}, m))));
}

// Shows for how many of the samples the answer to a question of the table `coverage` is known, such
// as 'address'.
function coverageTile(name, question) {
  const { pct, samples } = one(`SELECT 100.0 * sum(iif(known, samples, 0)) / sum(samples) AS pct, sum(iif(known, samples, 0)) AS samples FROM coverage WHERE question = '${question}'`);
  return tile(name, percent(pct), `${count(samples ?? 0)} samples`);
}

function tiles() {
  const { run } = model;
  const lost = one('SELECT count(*) AS n FROM losses WHERE NOT own').n; // the counts are of samples, bytes, files, so they have no sum
  return h('dl', { class: 'tiles' },
    tile('Length', seconds(run.seconds), `${count(model.threads.size)} thread${model.threads.size === 1 ? '' : 's'} with samples`),
    tile('Samples', count(run.samples ?? 0), run.sampler ? `${visible(run.sampler)} sampler` : 'recorded by hand'),
    coverageTile('With a data address', 'address'),
    coverageTile('In a known object', 'object'),
    run.waiting_pct !== null
      ? tile('Waiting for memory', percent(run.waiting_pct), `${interval(run.waiting_low_pct, run.waiting_high_pct, 0)} % of ${run.cost_unit === 'ns' ? `${seconds(run.thread_time / 1e9)} thread time` : 'the cycles'}`)
      : tile('NUMA nodes', run.nodes ? String(run.nodes) : 'not known'),
    tile('Lost or left out', lost ? `${count(lost)} kind${lost === 1 ? '' : 's'}` : 'none known', h('a', { href: '#losses-table', onclick: jump }, lost ? 'see losses' : 'see what recording cost')));
}

function jump(e) {
  e.preventDefault();
  document.getElementById('losses').scrollIntoView({ behavior: 'auto' });
}

// Returns SQL for the ranked objects. If nothing but an object is chosen, shares come from the
// table `objects`, which has all samples; otherwise they are estimated from the chosen points.
function objectsSql() {
  if (!isFiltered(['object'])) {
    return `SELECT object_id, object, kind, size_bytes, ${shareColumns()}, addressed AS samples, pattern,
  threads, writers, remote_pct, remote_low_pct, remote_high_pct, home_pct, latency_avg, function, file, line, advice
FROM objects
WHERE object_id IS NOT NULL AND addressed > 0 AND ${aboveLeast()}
ORDER BY rank
LIMIT ${ROWS}`;
  }
  return `${chosen(['object'])},
  sums AS (
    SELECT object_id, sum(${weight()}) AS w, count(*) AS samples, count(DISTINCT thread_id) AS threads,
      count(DISTINCT iif(store, thread_id, NULL)) AS writers,
      sum(estimate) AS accesses, ${squares('estimate')} AS accesses_sq, sum(iif(home <> cpu_node, estimate, 0)) AS remote, sum(iif(home = cpu_node, estimate, 0)) AS local
    FROM chosen
    WHERE object_id IS NOT NULL
    GROUP BY object_id
  )
SELECT s.object_id, o.object, o.kind, o.size_bytes, 100.0 * s.w / a.n AS share_pct, s.w, a.n, a.sq, s.samples,
  s.threads, s.writers, s.accesses, s.accesses_sq, s.remote, s.local, o.pattern, o.function, o.file, o.line, o.advice
FROM sums AS s
CROSS JOIN (SELECT sum(${weightAll()}) AS n, ${squares(weightAll())} AS sq FROM chosen${model.byCost ? '' : ' WHERE store IS NOT NULL'}) AS a
LEFT JOIN objects AS o ON o.object_id = s.object_id
WHERE a.n > 0 AND s.w * 100 >= ${LEAST} * a.n
ORDER BY s.w DESC, s.samples DESC, s.object_id
LIMIT ${ROWS}`;
}

// Divides each object into BINS parts and returns the cost (or samples) of each part by object and
// thread: { object: { thread: Float64Array } }.
function useOf() {
  const use = new Map();
  for (const r of all(`${chosen(['object'])}
SELECT object_id, thread_id, min(${BINS - 1}, place * ${BINS} / 1000000) AS bin, sum(${weight()}) AS w
FROM chosen
WHERE object_id IS NOT NULL AND place IS NOT NULL
GROUP BY object_id, thread_id, bin`)) {
    const threads = use.get(r.object_id) ?? new Map();
    const bins = threads.get(r.thread_id) ?? new Float64Array(BINS);
    bins[r.bin] += r.w;
    threads.set(r.thread_id, bins);
    use.set(r.object_id, threads);
  }
  return use;
}

function objectRow(o, use, exact, most, remote) {
  const [low, high] = exact ? [o.share_low_pct, o.share_high_pct] : shareInterval(o.w, o.n, o.sq);
  const [remoteText, range] = remoteShare(o);
  const href = address({ page: 'object', object: o.object_id });
  const from = [o.function && short(o.function, 40), place(o.file, o.line)].filter(Boolean).join(' ');
  return h('tr', { class: o.object_id === state.object ? 'chosen' : null },
    h('th', { scope: 'row', class: 'object' },
      h('a', { href, title: visible(o.object ?? '') }, short(o.object ?? '[cut]', 44)),
      h('span', { class: 'from', title: visible(o.file ?? '') }, h('span', { class: 'kind' }, o.kind ?? ''), from && ` ${from}`)),
    model.share && h('td', { class: 'wide' }, shareBar(o.share_pct, low, high, most)),
    h('td', { class: 'number' }, count(o.samples)),
    h('td', { class: 'number' }, bytes(o.size_bytes)),
    h('td', { class: 'number' }, o.threads, h('small', {}, o.writers ? `, ${o.writers} seen writing` : ', no write seen')),
    model.hardware && h('td', { class: 'number' }, o.latency_avg === null || o.latency_avg === undefined ? '–' : count(o.latency_avg)),
    remote && h('td', { class: 'number' }, remoteText, h('small', {}, range)),
    h('td', {}, use.has(o.object_id) && miniature(use.get(o.object_id), BINS), o.pattern && h('span', { class: 'from' }, visible(o.pattern))),
    h('td', { class: 'advice' }, o.advice ? visible(o.advice) : ''));
}

function objectsTable(rows) {
  if (!rows.length) {
    return 'No sample is in a known object.';
  }
  const exact = !('w' in rows[0]);
  if (!exact && model.run.nodes !== 1) {
    rows.forEach(estimateRemote);
  }
  const use = useOf();
  const most = Math.max(...rows.map((r) => (exact ? r.share_high_pct : r.share_pct) ?? 0), 1);
  const remote = rows.some((r) => r.remote_pct !== null && r.remote_pct !== undefined);
  const advice = rows.some((r) => r.advice);
  return h('table', { class: 'objects' },
    h('thead', {}, h('tr', {},
      h('th', { scope: 'col' }, 'Object'),
      model.share && h('th', { scope: 'col' }, `Share of ${weightName()}`, h('small', {}, ' 95 % interval')),
      h('th', { scope: 'col', class: 'number' }, 'Samples'),
      h('th', { scope: 'col', class: 'number' }, 'Size'),
      h('th', { scope: 'col', class: 'number' }, 'Threads'),
      model.hardware && h('th', { scope: 'col', class: 'number' }, 'Latency', h('small', {}, ' cycles')),
      remote && h('th', { scope: 'col', class: 'number' }, 'Remote'),
      h('th', { scope: 'col' }, 'Use by thread'),
      h('th', { scope: 'col', class: 'advice' }, advice ? 'What to try' : h('span', { class: 'hidden' }, 'What to try')))),
    h('tbody', {}, rows.map((o) => objectRow(o, use, exact, most, remote))));
}

function objectsNote(rows) {
  const parts = [];
  if (!isFiltered(['object'])) {
    const rest = model.objects.get(null);
    if (model.run.lost_cost > 0 && model.byCost) {
      parts.push(`${percent((100 * model.run.lost_cost) / model.run.cost)} of the ${weightName()} is of accesses whose address is gone: no object has it. `);
    }
    if (rest?.addressed) {
      parts.push(`${count(rest.addressed)} samples have an address at which no object is known. `);
    }
    const { n } = one('SELECT count(*) AS n FROM objects WHERE object_id IS NOT NULL AND addressed > 0');
    if (n > rows.length) {
      parts.push(`${count(n - rows.length)} more object${n - rows.length === 1 ? '' : 's'} with less${rows.length < ROWS ? ` than ${LEAST} % each` : ''}: see Objects. `);
    }
  } else {
    parts.push(`Estimated from what is chosen: ${drawn(rows.reduce((sum, r) => sum + r.samples, 0))}. `);
  }
  parts.push('Use by thread: a row for each thread (of eight), from the first to the last byte of the object, the stronger the more.');
  return parts;
}

const KINDS = {
  memory: ['waits for memory', '--hot'], cached: ['cached accesses', '--c1'], compute: ['computing', '--c0'], fence: ['fences', '--c4'], atomic: ['atomic operations', '--c3'], sharing: ['waits for shared cache lines', '--c2'],
  spin: ['spinning', '--c7'], wait: ['locks, barriers, messages', '--c5'], fault: ['page faults', '--c6'], system: ['kernel', '--muted'], unknown: ['not known', '--line'],
};

function timeFigure() {
  const exact = !isFiltered();
  return figure({
    title: 'What the threads’ time went to',
    sql: exact ? 'SELECT time_kind, samples, time_pct, low_pct, high_pct\nFROM time_kinds\nORDER BY time_pct DESC'
      : `${chosen()}
SELECT time_kind, count(*) AS samples, 100.0 * sum(estimate) / a.n AS time_pct, sum(estimate) AS w, a.n, a.sq
FROM chosen
CROSS JOIN (SELECT sum(estimate) AS n, ${squares('estimate')} AS sq FROM chosen WHERE time_kind IS NOT NULL) AS a
WHERE time_kind IS NOT NULL
GROUP BY time_kind
ORDER BY time_pct DESC`,
    draw: (rows) => (rows.length
      ? stackedBar(rows.map((r) => {
        const [name, colour] = KINDS[r.time_kind] ?? [r.time_kind, '--muted'];
        const [low, high] = 'w' in r ? shareInterval(r.w, r.n, r.sq) : [r.low_pct, r.high_pct];
        return { name, pct: r.time_pct, low, high, colour: `var(${colour})` };
      }), 'Thread time')
      : model.run.thread_time ? 'There are no samples of what is chosen.' : 'This sampler samples accesses: it does not know how the threads spent their time.'),
    note: (rows) => (rows.length ? `${count(rows.reduce((sum, r) => sum + r.samples, 0))} samples of ${exact ? model.whole : 'what is chosen'}, with the 95 % interval of each share.` : ''),
  });
}

function coverageFigure() {
  return figure({
    title: 'Coverage: what is known of the samples',
    sql: 'SELECT question, answer, known, samples, samples_pct, low_pct, high_pct\nFROM coverage\nORDER BY question, known DESC, samples DESC',
    draw: (rows) => {
      const questions = [...new Set(rows.map((r) => r.question))];
      return h('table', { class: 'coverage' },
        h('caption', { class: 'hidden' }, 'Coverage'),
        h('tbody', {}, questions.map((q) => {
          const of = rows.filter((r) => r.question === q);
          const samples = (list) => list.reduce((sum, r) => sum + r.samples, 0);
          const known = (100 * samples(of.filter((r) => r.known))) / samples(of);
          return h('tr', {}, h('th', { scope: 'row' }, visible(q)), h('td', { class: 'wide' }, shareBar(known)),
            h('td', { class: 'note' }, of.filter((r) => !r.known).slice(0, 4).map((r) => `${visible(r.answer)} ${percent(r.samples_pct)}`).join(', ')));
        })));
    },
    note: () => `The share of the samples of ${model.whole} of which the answer is known, then why the others have none. Name, type and member: of the samples with an object. A page fault is not an access to an object.`,
  });
}

function lossesFigure() {
  const f = figure({
    title: 'Losses, and what recording cost',
    sql: 'SELECT source, what, count, places, example\nFROM losses\nORDER BY own, count DESC',
    draw: (rows) => (rows.length ? h('table', { class: 'plain losses' }, heads(['Where', 'What', '#Count', 'Example']),
      h('tbody', {}, rows.map((r) => h('tr', {}, h('td', {}, visible(r.source)), h('td', {}, visible(r.what)), h('td', { class: 'number' }, count(r.count)),
        h('td', { class: 'note' }, visible(r.example ?? ''), r.places > 1 && ` and ${count(r.places - 1)} more`))))) : 'Nothing is known to be missing.'),
    note: () => '',
  });
  f.id = 'losses';
  return f;
}

function facts() {
  return h('section', { class: 'figure recording' }, h('h2', {}, 'The recording'),
    h('dl', { class: 'facts' }, all("SELECT what, value FROM facts WHERE value IS NOT NULL AND what NOT IN ('samples', 'samples with an address', 'samples with an object', 'losses', 'seconds')").map((f) => h('div', {}, h('dt', {}, visible(f.what)), h('dd', {}, visible(f.value))))),
    cuts());
}

function cuts() {
  const cut = all('SELECT name, rows, kept FROM contents WHERE kept < rows');
  return h('p', { class: 'note' }, cut.length
    ? `This page is a part of the database. Cut: ${cut.map((c) => `${c.name} ${count(c.kept)} of ${count(c.rows)}`).join(', ')}.`
    : `This page has all rows of the recording that its pictures need${model.run.one_in > 1 ? `; points are one in ${count(model.run.one_in)} samples` : ''}.`);
}

export function overview() {
  return [
    verdict(), tiles(),
    figure({ title: `Objects by ${weightName()}`, sql: objectsSql(), draw: objectsTable, note: objectsNote, wide: true }),
    h('div', { class: 'columns' }, h('div', { class: 'column' }, timeFigure(), lossesFigure()), coverageFigure()),
    facts(),
  ];
}

export const title = () => `Overview of ${baseName(model.run.command?.split(' ')[0] ?? 'a recording')}`;
