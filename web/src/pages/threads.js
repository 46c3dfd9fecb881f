// SPDX-License-Identifier: GPL-2.0-or-later
// The page of threads: the node of each thread over time, its cost of memory, and the nodes whose memory it used and placed.
import { all } from '../db.js';
import { category, colour, h } from '../dom.js';
import { figure, heads } from '../figure.js';
import { bytes, count, remoteShare, short, visible } from '../format.js';
import { byShare, chosen, drawn, model, shareColumns, squares, threadName, weightAll, weightName } from '../model.js';
import { shareBar } from '../pictures/bar.js';
import { lanes } from '../pictures/lanes.js';
import { address, go, isFiltered, state } from '../state.js';
import { estimateRemote, shareInterval } from '../stats.js';

const SLICES = 240;
const LANES = 64;

function lanesFigure(width) {
  const byNode = model.run.nodes > 1;
  const from = state.from ?? 0;
  const length = (state.to ?? model.run.seconds) - from || 1e-6;
  return figure({
    title: 'Where the threads ran',
    wide: true,
    sql: `${chosen()}
SELECT thread_id, max(0, min(${SLICES - 1}, CAST((time_us - ${Math.floor(from * 1e6)}) / ${(length * 1e6) / SLICES} AS INTEGER))) AS slice,
  ${byNode ? 'cpu_node' : 'cpu'} AS g, count(*) AS n
FROM chosen
GROUP BY thread_id, slice, g
ORDER BY thread_id, slice`,
    draw: (rows) => {
      const threads = [...new Set(rows.map((r) => r.thread_id))].sort((a, b) => a - b).slice(0, LANES);
      return rows.length ? lanes(rows, {
        slices: SLICES, width: width - 184, threads, threadName: (t) => short(threadName(t), 18), from, length,
        groupName: (n) => (n === null ? 'not known' : `${byNode ? 'node' : 'CPU'} ${n}`), choose: (t) => go({ thread: t }),
        bound: all('SELECT thread_id, from_s, node, cpus FROM affinities ORDER BY from_s').map((a) => ({ ...a, g: byNode ? a.node : /^\d+$/.test(a.cpus) ? Number(a.cpus) : null })),
      }) : 'There are no samples of what is chosen.';
    },
    note: (rows) => `Colour: the ${byNode ? 'node' : 'CPU'} on which most samples of that moment were; a line: it went to another; a bar below: it was bound to that ${byNode ? 'node' : 'CPU'}. ${drawn(rows.reduce((sum, r) => sum + r.n, 0))}. A thread's name chooses it.`,
  });
}

// Returns the affinities of each thread, in order of time: a Map from thread_id to a list of texts.
// An affinity is the CPUs on which the thread may run.
function affinityOf() {
  const found = new Map();
  for (const a of all('SELECT thread_id, cpus, reason FROM affinities ORDER BY from_s')) {
    const list = found.get(a.thread_id) ?? [];
    list.push(a.cpus);
    found.set(a.thread_id, list);
  }
  return found;
}

// Counts, for each thread, how often two successive samples are on different CPUs, and how often on
// different nodes.
function movesOf() {
  const found = new Map();
  for (const m of all(`SELECT thread_id, sum(cpu <> before_cpu) AS cpus, sum(cpu_node <> before_node) AS nodes
FROM (SELECT thread_id, cpu, cpu_node, lag(cpu) OVER w AS before_cpu, lag(cpu_node) OVER w AS before_node FROM points WINDOW w AS (PARTITION BY thread_id ORDER BY time_us))
GROUP BY thread_id`)) {
    found.set(m.thread_id, m);
  }
  return found;
}

function tableFigure() {
  const affinity = affinityOf();
  const moves = movesOf();
  const exact = !isFiltered(['thread']);
  const many = model.run.nodes !== 1;
  return figure({
    title: 'Threads',
    wide: true,
    sql: exact
      ? `SELECT thread_id, tid, comm, samples, addressed, ${shareColumns()}, latency_avg, remote_pct, remote_low_pct, remote_high_pct, home_pct\nFROM threads\nORDER BY ${byShare()}samples DESC\nLIMIT 200`
      : `${chosen(['thread'])},
  sums AS (
    SELECT thread_id, sum(${weightAll()}) AS w, count(*) AS samples, sum(iif(place IS NOT NULL, estimate, 0)) AS accesses, ${squares('iif(place IS NOT NULL, estimate, 0)')} AS accesses_sq,
      sum(iif(home <> cpu_node, estimate, 0)) AS remote, sum(iif(home = cpu_node, estimate, 0)) AS local
    FROM chosen
    GROUP BY thread_id
  )
SELECT s.*, t.tid, t.comm, 100.0 * s.w / a.n AS share_pct, a.n, a.sq
FROM sums AS s
CROSS JOIN (SELECT nullif(sum(${weightAll()}), 0) AS n, ${squares(weightAll())} AS sq FROM chosen) AS a
LEFT JOIN threads AS t ON t.thread_id = s.thread_id
ORDER BY s.w DESC, s.samples DESC, s.thread_id
LIMIT 200`,
    draw: (rows) => (rows.length ? h('table', { class: 'plain' },
      heads(['Thread', ...(model.share ? [`Share of ${weightName()}`] : []), '#Samples', ...(many ? ['#Remote'] : []), 'Allowed on CPUs', '#Moves seen', ...(many ? ['#To another node'] : [])]),
      h('tbody', {}, rows.map((r) => {
        if (!exact && many) {
          estimateRemote(r);
        }
        const [low, high] = exact ? [r.share_low_pct, r.share_high_pct] : shareInterval(r.w, r.n, r.sq);
        const cpus = affinity.get(r.thread_id) ?? [];
        return h('tr', { class: r.thread_id === state.thread ? 'chosen' : null },
          h('th', { scope: 'row' }, h('a', { href: address({ thread: r.thread_id }) }, `${r.tid} ${short(r.comm ?? '', 24)}`)),
          model.share && h('td', { class: 'wide' }, shareBar(r.share_pct, low, high)),
          h('td', { class: 'number' }, count(r.samples)), many && h('td', { class: 'number' }, remoteShare(r)[0], h('small', {}, remoteShare(r)[1])),
          h('td', {}, visible(cpus.at(-1) ?? 'not known'), cpus.length > 1 && h('small', {}, ` ${cpus.length - 1} change${cpus.length === 2 ? '' : 's'}`)),
          h('td', { class: 'number' }, count(moves.get(r.thread_id)?.cpus ?? 0)), many && h('td', { class: 'number' }, count(moves.get(r.thread_id)?.nodes)));
      }))) : 'There are no samples of what is chosen.'),
    note: () => `Shares are of ${exact ? model.whole : 'what is chosen'}.${many ? ' Remote: of samples whose nodes are known, with the range that the others leave.' : ''} Moves are those of the whole run between two samples: at least so many.`,
  });
}

// Draws a bar for each thread, with a part for each node. rows: { thread_id, home, n, shown }. home
// is the node, n the width of the part, and `shown` the number that is printed (n if it is
// missing).
function perNode(rows, unit) {
  const threads = [...new Set(rows.map((r) => r.thread_id))].slice(0, LANES);
  const most = Math.max(...threads.map((t) => rows.filter((r) => r.thread_id === t).reduce((sum, r) => sum + r.n, 0)), 1);
  return h('table', { class: 'plain per-node' }, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Thread'), h('th', { scope: 'col' }, 'By node of the page'))),
    h('tbody', {}, threads.map((t) => {
      const parts = rows.filter((r) => r.thread_id === t).sort((a, b) => a.home - b.home);
      return h('tr', {}, h('th', { scope: 'row' }, short(threadName(t), 20)),
        h('td', {}, h('span', { class: 'parts', 'aria-hidden': 'true' }, parts.map((p) => h('span', { style: { width: `${(100 * p.n) / most}%`, background: p.home === null ? colour('--muted') : category(p.home) } }))),
          h('small', {}, parts.map((p) => `${p.home === null ? 'not known' : `node ${p.home}`}: ${unit(p.shown ?? p.n)}`).join(', '))));
    })));
}

function nodeFigures() {
  return [
    figure({
      title: 'Whose memory each thread uses',
      sql: isFiltered()
        ? `${chosen()}\nSELECT thread_id, home, sum(estimate) AS n, count(*) AS shown\nFROM chosen\nWHERE place IS NOT NULL\nGROUP BY thread_id, home\nORDER BY thread_id, home`
        : "SELECT thread_id, home, sum(estimate) AS n, sum(samples) AS shown\nFROM matrix\nWHERE scope = 'thread'\nGROUP BY thread_id, home\nORDER BY thread_id, home",
      draw: (rows) => (rows.length ? perNode(rows, count) : 'No node is known.'),
      note: () => 'Samples by the node of their page. A bar is as long as what they stand for.',
    }),
    figure({
      title: 'Which memory each thread placed',
      sql: `SELECT thread_id, home, sum(bytes) AS n\nFROM first_touches\nWHERE ${state.object === null ? 'true' : `object_id = ${state.object}`} AND ${state.thread === null ? 'true' : `thread_id = ${state.thread}`}\nGROUP BY thread_id, home\nORDER BY thread_id, home`,
      draw: (rows) => (rows.length ? perNode(rows, bytes) : 'No page was placed there while it was recorded, or page faults were not recorded.'),
      note: () => 'First touches of the whole run, by the node on which the pages came to lie.',
    }),
  ];
}

export function threads(width) {
  return [lanesFigure(width), tableFigure(), h('div', { class: 'columns' }, nodeFigures())];
}

export const title = () => 'Threads';
