// SPDX-License-Identifier: GPL-2.0-or-later
// The page of a comparison of two runs: what changed in total, and by thread, object, member, function, line and pair of nodes.
import { all } from '../db.js';
import { h } from '../dom.js';
import { figure, heads } from '../figure.js';
import { baseName, count, percent, seconds, short, visible } from '../format.js';

const ROWS = 40;
const PARTS = {
  'kind of time': 'Kinds of time', thread: 'Threads', object: 'Objects', member: 'Members', function: 'Functions', line: 'Source lines', matrix: 'Nodes of CPUs and pages',
};
const VERDICTS = { less: 'less, beyond chance', more: 'more, beyond chance' };

const number = (x) => (x === null ? '–' : Math.abs(x) >= 1000 ? count(Math.round(x)) : String(x));
const signed = (x) => (x > 0 ? `+${number(x)}` : x < 0 ? `−${number(-x)}` : '0');

export const isComparison = () => all("SELECT 1 FROM sqlite_schema WHERE name = 'changes'").length > 0;

// Returns the sentence of a row of `changes`: "thread time: 3 991 to 2 001 ms (−50 %), change −2 100 to −1 880: less, beyond
// chance". A row without an interval, such as wall time, gets no verdict and does not look like one.
function sentence(r) {
  const relative = r.before > 0 && r.unit !== '%' ? ` (${signed(Math.round((100 * r.change) / r.before))} %)` : '';
  const values = `: ${number(r.before)} to ${number(r.after)} ${r.unit === 'accesses' ? '' : r.unit}${relative}`;
  if (r.low === null) {
    return h('p', { class: 'said' }, visible(r.name), values, `: no verdict${r.name === 'wall time' ? ', which takes three runs of each' : ''}`);
  }
  return h('p', { class: 'lead' }, h(r.verdict in VERDICTS ? 'strong' : 'span', {}, visible(r.name)), `${values}, change ${signed(r.low)} to ${signed(r.high)}: ${VERDICTS[r.verdict] ?? r.verdict}`);
}

function verdict() {
  return h('section', { class: 'verdict', 'aria-labelledby': 'verdict' }, h('h2', { id: 'verdict' }, 'What changed'),
    all("SELECT * FROM changes WHERE part = 'run' ORDER BY low IS NULL").map(sentence), h('ul', { class: 'hints' }, all('SELECT text FROM notes').map((r) => h('li', {}, visible(r.text)))));
}

function compared() {
  return h('dl', { class: 'tiles' }, all('SELECT * FROM compared').map((r) => h('div', { class: 'tile' },
    h('dt', {}, r.side), h('dd', {}, h('b', {}, short(r.command ?? 'recorded by hand', 60)),
      h('span', {}, `${seconds(r.seconds)}, ${count(r.samples ?? 0)} samples${r.sampler ? `, ${visible(r.sampler)} sampler` : ''}`)))));
}

function changeRow(r) {
  const beyond = r.verdict in VERDICTS;
  return h('tr', { class: beyond ? 'chosen' : null },
    h('th', { scope: 'row' }, h('span', { class: 'code', title: visible(r.name ?? '') }, short(r.name ?? '', 60)), r.place && h('span', { class: 'from' }, short(r.place, 80))),
    h('td', { class: 'number' }, number(r.before), r.before_pct !== null && h('small', {}, ` ${percent(r.before_pct)}`)),
    h('td', { class: 'number' }, number(r.after), r.after_pct !== null && h('small', {}, ` ${percent(r.after_pct)}`)),
    h('td', { class: 'number' }, signed(r.change), r.low !== null && h('small', {}, ` ${signed(r.low)} to ${signed(r.high)}`)),
    h('td', {}, VERDICTS[r.verdict] ?? r.verdict));
}

function partFigure(part) {
  const [{ n, unit }] = all(`SELECT count(*) AS n, max(unit) AS unit FROM changes WHERE part = '${part}'`);
  return n > 0 && figure({
    title: PARTS[part],
    sql: `SELECT name, place, before, after, before_pct, after_pct, change, low, high, verdict\nFROM changes\nWHERE part = '${part}'\nORDER BY verdict IN ('less', 'more') DESC, abs(change) DESC, name, place\nLIMIT ${ROWS}`,
    wide: true,
    draw: (rows) => h('table', { class: 'plain' }, heads(['Name', '#Before', '#After', '#Change, 95 %', 'Verdict']), h('tbody', {}, rows.map(changeRow))),
    note: (rows) => `${rows.length < n ? `The ${rows.length} largest of ${count(n)} changes` : 'All changes'}, in ${visible(unit)}.`,
  });
}

export function changes() {
  return [h('h1', { class: 'hidden' }, title()), verdict(), compared(), ...Object.keys(PARTS).map(partFigure)].filter(Boolean);
}

export function title() {
  const [before, after] = all('SELECT command FROM compared').map((r) => baseName(r.command?.split(' ')[0] ?? 'a recording'));
  return `Changes from ${before} to ${after}`;
}
