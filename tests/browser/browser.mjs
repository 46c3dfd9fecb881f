// SPDX-License-Identifier: GPL-2.0-or-later
// browser.mjs PACKAGES FOLDER NAME...: opens FOLDER/NAME.html in a browser without a network, visits every page, and
// compares the shown numbers with FOLDER/NAME.db. Prints one line per check. The exit code is 1 if a check failed.
//
// BROWSER     the browser's program; if its name contains "firefox", it is controlled like Firefox
// SCREENSHOTS folder for pictures of the pages; if it is not set, no pictures are stored
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [packages, folder, ...names] = process.argv.slice(2);
const require = createRequire(join(packages, 'package.json'));
const puppeteer = require('puppeteer-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const firefox = /firefox/.test(process.env.BROWSER);
const PAGES = ['overview', 'object', 'code', 'threads', 'machine', 'sql'];
const LARGEST = 8 * 1048576;

let failed = 0;

function check(what, ok, detail = '') {
  if (!ok) {
    failed++;
    console.error(`FAIL: ${what}${detail === '' ? '' : `: ${typeof detail === 'string' ? detail : JSON.stringify(detail)}`}`);
  }
}

function same(what, expected, actual) {
  check(what, JSON.stringify(expected) === JSON.stringify(actual), `expected ${JSON.stringify(expected)?.slice(0, 400)}, got ${JSON.stringify(actual)?.slice(0, 400)}`);
}

function sql(name, statement) {
  const text = execFileSync('sqlite3', ['-readonly', '-json', join(folder, `${name}.db`), statement], { encoding: 'utf8' });
  return text ? JSON.parse(text) : [];
}

// Removes the narrow spaces that the page puts between the thousands of a number.
const plain = (s) => s.replaceAll('\u202f', '').trim();

async function open(browser, name) {
  const page = await browser.newPage();
  await page.setViewport({ width: 1400, height: 900 });
  page.on('pageerror', (e) => check(`${name}: no error`, false, e.message));
  page.on('console', (m) => check(`${name}: nothing in the console`, !['error', 'warn', 'warning'].includes(m.type()), m.text()));
  page.on('request', (r) => check(`${name}: nothing is asked for`, r.url().startsWith('blob:') || r.url().startsWith('file://') && r.url().split('#')[0].endsWith('.html'), r.url().slice(0, 200)));
  await page.goto(`file://${join(folder, `${name}.html`)}`);
  await page.waitForFunction(() => document.documentElement.dataset.ready || document.querySelector('[role=alert]') || document.getElementById('page')?.textContent.includes('no recording'), { timeout: 120000 });
  return page;
}

// Shows an address of the page, and waits until it is drawn.
async function show(page, address) {
  await page.evaluate((a) => { location.hash = a; }, address);
  await page.waitForFunction(() => document.documentElement.dataset.shown === location.hash);
}

const texts = (page, selector) => page.$$eval(selector, (list) => list.map((e) => e.textContent));

// Checks the page with axe-core: WCAG 2.1 A and AA, and its best practices. If `rules` is given, only these.
async function accessible(page, what, rules) {
  if (!await page.evaluate(() => Boolean(window.axe))) {
    await page.evaluate(axe);
  }
  const found = await page.evaluate((only) => window.axe.run(document, { resultTypes: ['violations'], ...(only && { runOnly: only }) }), rules);
  for (const v of found.violations) {
    check(`${what}: ${v.id}`, false, `${v.help}: ${v.nodes.slice(0, 3).map((n) => `${n.html.slice(0, 160)} (${n.any[0]?.message ?? ''})`).join(' | ')}`);
  }
}

// Checks every figure: the button "Table" shows the rows, the query behind the button "SQL" runs
// without changes, and wrong SQL is refused.
async function figures(page, what) {
  const found = await page.evaluate(() => [...document.querySelectorAll('figure')].map((f) => {
    const title = f.querySelector('h2').textContent;
    const button = (name) => [...f.querySelectorAll('.tools button')].find((b) => b.textContent === name);
    button('Table').click();
    button('SQL').click();
    const area = f.querySelector('textarea');
    const run = [...f.querySelectorAll('button')].find((b) => b.textContent === 'Run');
    run.click();
    const said = f.querySelector('.editor [role=status]');
    const good = { said: said.textContent, wrong: said.classList.contains('wrong') };
    const statement = area.value;
    area.value = 'SELECT 1 FROM nowhere';
    run.click();
    const refused = said.classList.contains('wrong') && said.textContent.includes('nowhere');
    area.value = statement;
    run.click();
    button('Table').click();
    button('SQL').click();
    return { title, good, refused, empty: !f.querySelector('.picture').firstElementChild };
  }));
  same(`${what}: pictures without SQL`, [], await page.$$eval('main canvas, main .strip, main .path', (list) => list.filter((e) => !e.closest('figure')).map((e) => e.outerHTML.slice(0, 100))));
  check(`${what}: pictures`, found.length > 0 || what.endsWith('sql'));
  for (const f of found) {
    check(`${what}: ${f.title}: its SQL`, !f.good.wrong && /^\d[\d\u202f]* rows$/.test(f.good.said), f.good.said);
    check(`${what}: ${f.title}: wrong SQL is refused`, f.refused);
    check(`${what}: ${f.title}: is drawn`, !f.empty);
  }
}

async function fits(page, what) {
  const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  check(`${what}: as wide as the window`, inner <= outer, `${inner} > ${outer}`);
}

// Checks that each table of the page shows all of its columns without scrolling, which is so in a window of usual width.
async function whole(page, what) {
  same(`${what}: tables with columns that are cut off`, [], await page.$$eval('table.plain', (tables) => tables.filter((t) => t.parentElement.scrollWidth > t.parentElement.clientWidth + 1)
    .map((t) => `${t.closest('figure')?.querySelector('h2')?.textContent}: ${t.parentElement.scrollWidth} > ${t.parentElement.clientWidth}`)));
}

// Returns the text that the page must show for a remote share: the share, its range, and its
// coverage if that is below 100 %.
const remote = (r) => (r.remote_pct === null || r.remote_pct === undefined ? '–'
  : `${r.remote_pct.toFixed(0)} % ${r.remote_low_pct.toFixed(0)}–${r.remote_high_pct.toFixed(0)}${r.home_pct < 99.5 ? `, known for ${r.home_pct.toFixed(0)} %` : ''}`);
const REMOTE = 'remote_pct, remote_low_pct, remote_high_pct, home_pct';

// The condition for objects and lines that are listed: a share of at least 0.05 %.
const LISTED = 'coalesce(cost_pct, access_pct) >= 0.05';

// Checks that no table shows a remote share without its range and coverage.
async function covered(page, name) {
  const column = (title) => page.evaluate((wanted) => {
    const f = [...document.querySelectorAll('figure')].find((x) => x.querySelector('h2').textContent.startsWith(wanted));
    const table = f.querySelector('table');
    const at = [...table.querySelectorAll('thead th')].findIndex((th) => th.textContent === 'Remote');
    return at < 0 ? [] : [...table.querySelectorAll('tbody tr')].map((r) => r.children[at].textContent);
  }, title);
  await show(page, '#overview');
  const objects = sql(name, `SELECT ${REMOTE} FROM object_costs WHERE object_id IS NOT NULL AND addressed > 0 AND ${LISTED}
    ORDER BY rank LIMIT 40`);
  if (objects.some((o) => o.remote_pct !== null)) {
    same(`${name}: what is remote of objects`, objects.map(remote), await column('Objects by'));
  }
  const object = sql(name, 'SELECT object_id AS id, name FROM object_costs AS c JOIN objects AS o ON o.id = c.object_id ORDER BY home_pct, c.rank LIMIT 1')[0];
  const thread = sql(name, `SELECT thread_id AS id FROM sample_data WHERE object_id = ${object.id} GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`)[0].id;
  await show(page, `#overview?thread=${thread}`);
  const chosen = sql(name, `SELECT 100.0 * remote_estimate / nullif(local_estimate + remote_estimate, 0) AS remote_pct, ${REMOTE.replace('remote_pct, ', '')}
    FROM object_thread_costs WHERE object_id = ${object.id} AND thread_id = ${thread}`)[0];
  const all = await page.$$eval('table.objects tbody tr', (rows) => rows.map((r) => [r.querySelector('a').title, [...r.querySelectorAll('td.number')].map((td) => td.textContent)]));
  if (chosen.remote_pct !== null && sql(name, 'SELECT count(*) AS n FROM nodes')[0].n > 1) {
    const row = all.find((r) => r[0] === object.name);
    check(`${name}: what is remote of an object and a thread`, row?.[1].includes(remote(chosen)), [remote(chosen), row]);
  }
  await show(page, '#threads');
  if (sql(name, 'SELECT count(*) AS n FROM nodes')[0].n !== 1) {
    same(`${name}: what is remote of threads`, sql(name, `SELECT ${REMOTE} FROM thread_costs AS c ORDER BY cost DESC, access_pct DESC, samples DESC, thread_id`).map(remote), await column('Threads'));
  }
  await show(page, '#code');
  const lines = sql(name, `SELECT ${REMOTE} FROM line_costs WHERE ${LISTED} ORDER BY cost DESC, access_pct DESC, samples DESC, function, file, line LIMIT 25`);
  if (lines.some((l) => l.remote_pct > 0)) {
    same(`${name}: what is remote of lines`, lines.map(remote), await column('Source lines'));
  }
}

// Checks that the numbers of the ranked objects, tiles, threads and lines are those of the views.
async function numbers(page, name) {
  await covered(page, name);
  await show(page, '#overview');
  const objects = sql(name, `SELECT object_id, printf('%.1f %%', coalesce(cost_pct, access_pct)) AS cost, addressed AS samples, threads
    FROM object_costs AS o WHERE object_id IS NOT NULL AND addressed > 0 AND ${LISTED} ORDER BY rank LIMIT 40`);
  const shown = (await page.$$eval('table.objects tbody tr', (rows) => rows.map((r) => ({
    object_id: Number(new URLSearchParams(r.querySelector('a').hash.split('?')[1]).get('object')),
    cost: r.querySelector('.share .value').firstChild.textContent,
    numbers: [...r.querySelectorAll('td.number')].map((td) => td.firstChild.textContent),
  })))).map((r) => ({ object_id: r.object_id, cost: r.cost, samples: Number(plain(r.numbers[0])), threads: Number(plain(r.numbers[2])) }));
  same(`${name}: ranked objects`, objects, shown);

  const run = sql(name, "SELECT samples FROM totals WHERE scope = 'run'")[0];
  const tiles = Object.fromEntries(await page.$$eval('.tile', (list) => list.map((t) => [t.querySelector('dt').textContent, [...t.querySelectorAll('b, dd > span')].map((e) => e.textContent)])));
  same(`${name}: samples`, run.samples, Number(plain(tiles.Samples[0])));
  // The page and the report of the terminal say the same.
  const report = readFileSync(join(folder, `${name}.txt`), 'utf8');
  for (const [tile, question, said] of [['With a data address', 'address', /([\d.]+ %) with a data address/], ['In a known object', 'object', /([\d.]+ %) in a known object/]]) {
    const count = Number(plain(tiles[tile][1]).replace(' samples', ''));
    check(`${name}: ${tile}: as in the report`, Math.abs((100 * count) / run.samples - parseFloat(said.exec(report)[1])) < 0.051, [count, said.exec(report)[1]]); // 0.05: rounding
    same(`${name}: coverage of ${question}`, tiles[tile][0], await page.evaluate((q) => [...document.querySelectorAll('table.coverage tr')].find((r) => r.querySelector('th').textContent === q).querySelector('.value').textContent, question));
  }
  const waiting = /shares of the waits for memory, which are ([\d.]+ %)/.exec(report);
  if (waiting) {
    same(`${name}: waiting for memory`, waiting[1], tiles['Waiting for memory'][0]);
  }
  // Each line of the report before its first table, and each hint, is a sentence of the page: the verdict, what ran, then the hints.
  const printed = report.trimEnd().split('\n').map((l) => l.replace(/^([a-z ]+:) +/, '$1 ')); // the terminal puts what follows a label into a column
  const ran = printed.slice(0, printed.includes('') ? printed.indexOf('') : undefined);
  const judged = printed.slice(ran.length + 1);
  const hinted = printed.filter((l) => l.startsWith('-> ')).map((l) => l.slice(3));
  const spoken = [...judged.slice(0, judged.includes('') ? judged.indexOf('') : undefined).filter((l) => !l.startsWith('-> ')), ...ran.filter((l) => !l.startsWith('-> ')), ...hinted];
  // Bytes that are no UTF-8 are \xNN at the terminal, and U+FFFD in the page.
  const readable = spoken.map((l) => l.replace(/\\x[89a-f][0-9a-f]/g, '\ufffd'));
  same(`${name}: sentences`, readable, await texts(page, '.verdict .lead, .verdict .said, .verdict .hints li'));

  await show(page, '#threads');
  const threads = sql(name, `SELECT t.tid || ' ' || t.comm AS thread, c.samples FROM thread_costs AS c JOIN threads AS t ON t.id = c.thread_id
    ORDER BY c.cost DESC, c.access_pct DESC, c.samples DESC, t.id`);
  same(`${name}: threads`, threads, await page.evaluate(() => {
    const f = [...document.querySelectorAll('figure')].find((x) => x.querySelector('h2').textContent === 'Threads');
    return [...f.querySelectorAll('tbody tr')].map((r) => ({ thread: r.querySelector('th').textContent, samples: Number(r.querySelector('td.number').textContent.replaceAll('\u202f', '')) }));
  }));

  await show(page, '#code');
  const lines = sql(name, "SELECT function, line, printf('%.1f %%', coalesce(cost_pct, access_pct)) AS cost FROM line_costs WHERE coalesce(cost_pct, access_pct) >= 0.05 ORDER BY cost_pct DESC, access_pct DESC, samples DESC, function, file, line LIMIT 3");
  const first = (await texts(page, 'figure:nth-of-type(2) tbody tr .share .value')).slice(0, 3).map((s) => s.match(/^[\d.]+ %/)[0]);
  same(`${name}: lines`, lines.map((l) => l.cost), first);
  const costliest = "(SELECT function FROM annotated_lines WHERE text IS NOT NULL AND samples > 0 ORDER BY cost_pct DESC, access_pct DESC, samples DESC LIMIT 1)";
  const source = sql(name, `SELECT line, replace(text, char(9), '    ') AS text, samples FROM annotated_lines WHERE function = ${costliest} AND samples > 0 ORDER BY file, line`);
  if (source.length) {
    same(`${name}: annotated source`, source.map((l) => `${l.samples} ${l.line} ${l.text}`), (await page.$$eval('td.source', (cells) => cells.map((td) => {
      const [samples, line] = [...td.parentNode.querySelectorAll('.number')].map((c) => c.textContent);
      return `${samples.replaceAll('\u202f', '')} ${line} ${td.querySelector('code').textContent}`;
    }))));
  }
}

// Returns the rows of a figure's query as objects, from its table.
async function rowsOf(page, title) {
  return page.evaluate((wanted) => {
    const f = [...document.querySelectorAll('figure')].find((x) => x.querySelector('h2').textContent === wanted);
    [...f.querySelectorAll('.tools button')].find((b) => b.textContent === 'Table').click();
    const names = [...f.querySelectorAll('.rows thead th')].map((th) => th.textContent);
    return [...f.querySelectorAll('.rows tbody tr')].map((r) => Object.fromEntries(names.map((n, i) => [n, r.children[i].textContent])));
  }, title);
}

// Checks that figures of a choice add up to those of the run: the kinds of time of each thread, and, with a range of
// time that has everything, members and threads.
async function parts(page, name) {
  const sum = new Map();
  for (const { id } of sql(name, 'SELECT thread_id AS id FROM thread_costs WHERE thread_id IS NOT NULL')) {
    await show(page, `#overview?thread=${id}`);
    for (const r of await rowsOf(page, 'What the threads’ time went to')) {
      sum.set(r.time_kind, (sum.get(r.time_kind) ?? 0) + Number(r.samples));
    }
  }
  const kinds = sql(name, 'SELECT time_kind, sum(samples) AS samples FROM time_spent GROUP BY 1 ORDER BY 1');
  same(`${name}: kinds of time of all threads`, kinds.map((k) => [k.time_kind, k.samples]), [...sum].sort((a, b) => (a[0] < b[0] ? -1 : 1)));
  const counts = { threads: ['Threads', '#threads', ['tid', 'samples']] };
  for (const { id } of sql(name, 'SELECT o.id FROM objects AS o WHERE o.type_id IS NOT NULL AND EXISTS (SELECT 1 FROM member_costs AS m WHERE m.object_id = o.id AND m.drawn > 0 AND m.member_id IS NOT NULL AND m.member <> \'\') LIMIT 1')) {
    counts.members = ['Members of its type', `#object?object=${id}`, ['member', 'drawn', 'stores', 'threads']];
  }
  for (const [title, where, columns] of Object.values(counts)) {
    const read = async (a) => {
      await show(page, a);
      return (await rowsOf(page, title)).map((r) => columns.map((c) => r[c])).sort();
    };
    const exact = await read(where);
    same(`${name}: ${title} of everything that is chosen`, exact, await read(`${where}${where.includes('?') ? '&' : '?'}from=-1000`));
    check(`${name}: ${title}: rows`, exact.length > 0);
  }
}

// Returns whether the run has enough samples for shares, without which the page and the report only count.
function claims(name) {
  return sql(name, `SELECT iif(waits + lost_waits > 0, waits + lost_waits, addressed) >= 20 AND samples >= 20 AND coalesce((SELECT cpudesc FROM runs), '') NOT LIKE '%TCG%' AS yes
    FROM totals WHERE scope = 'run'`)[0].yes;
}

// Checks that a selected object or thread restricts the figures. Each sample is a point here, so the numbers of points
// and samples are equal.
async function choices(page, name) {
  const object = sql(name, 'SELECT object_id AS id FROM object_costs WHERE object_id IS NOT NULL ORDER BY cost DESC, addressed DESC LIMIT 1')[0].id;
  const thread = sql(name, `SELECT thread_id AS id FROM sample_data WHERE object_id = ${object} GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`)[0].id;
  const [{ start, end }] = sql(name, 'SELECT start_ns AS start, end_ns AS end FROM runs');
  const middle = Number(((end - start) / 2e9).toFixed(3));
  const expected = sql(name, `SELECT count(*) AS n FROM drawn_samples WHERE object_id = ${object} AND thread_id = ${thread} AND place IS NOT NULL
    AND (time - ${start}) / 1000 < ${Math.ceil(middle * 1e6)}`)[0].n;
  await show(page, `#object?object=${object}&thread=${thread}&to=${middle}`);
  const sum = await page.evaluate(() => {
    const f = [...document.querySelectorAll('figure')].find((x) => x.querySelector('h2').textContent === 'Who uses which part');
    [...f.querySelectorAll('.tools button')].find((b) => b.textContent === 'Table').click();
    const names = [...f.querySelectorAll('.rows thead th')].map((th) => th.textContent);
    const at = names.indexOf('samples');
    return [...f.querySelectorAll('.rows tbody tr')].reduce((n, r) => n + Number(r.children[at].textContent), 0);
  });
  same(`${name}: samples of an object, a thread and half of the time`, expected, sum);
  same(`${name}: what is chosen`, 2, (await texts(page, '.chips .chip')).length);
  await page.evaluate(() => document.querySelector('.chips .chip').click());
  await page.waitForFunction(() => document.querySelectorAll('.chips .chip').length === 1);
  await page.evaluate(() => history.back());
  await page.waitForFunction(() => document.querySelectorAll('.chips .chip').length === 2);

  await parts(page, name);
  await contexts(page, name);

  const f = sql(name, 'SELECT function AS name FROM function_costs ORDER BY cost DESC LIMIT 1')[0].name;
  await show(page, `#code?function=${encodeURIComponent(f)}`);
  const boxes = await texts(page, '.flame .frame');
  check(`${name}: the flame graph of a function`, boxes.some((t) => t.includes(f.slice(0, 8))), boxes.slice(0, 8));
}

// Checks that the ranges of an object can be drawn for each calling context: together, they have the samples of the object.
async function contexts(page, name) {
  const { id } = sql(name, 'SELECT object_id AS id FROM object_costs WHERE object_id IS NOT NULL ORDER BY cost DESC, addressed DESC LIMIT 1')[0];
  await show(page, `#object?object=${id}`);
  const options = await page.$$eval('[aria-label="Calling context"] option', (list) => list.map((e) => e.value));
  const counts = [];
  for (const value of options) {
    await page.select('[aria-label="Calling context"]', value);
    counts.push((await rowsOf(page, 'Who uses which part')).reduce((n, r) => n + Number(r.samples), 0));
  }
  const [all, ...each] = counts;
  check(`${name}: calling contexts`, each.length !== 1 && each.every((n) => n > 0 && n < all), counts);
  if (each.length > 0 && each.length < 12) {
    same(`${name}: samples of all calling contexts`, sql(name, `SELECT count(*) AS n FROM drawn_samples AS d JOIN instructions AS i ON i.id = d.instruction_id
      WHERE d.object_id = ${id} AND d.place IS NOT NULL AND i.location_id IS NOT NULL`)[0].n, each.reduce((a, b) => a + b, 0));
  }
  const touched = sql(name, `SELECT count(*) AS n FROM page_faults WHERE first = 1 AND object_id = ${id} AND call_path_id IS NOT NULL`)[0].n;
  same(`${name}: call paths of first touches`, touched > 0, (await texts(page, 'figure h2')).includes('On which ways they were touched'));
}

// Checks that the skip link, the flame graph and the SQL field can be used without a mouse.
async function keyboard(page, name) {
  await show(page, '#code');
  await page.focus('.flame .frame[tabindex="0"]');
  await page.keyboard.press('ArrowDown');
  const second = await page.evaluate(() => document.activeElement.textContent);
  check(`${name}: arrows in the flame graph`, second !== 'all' && await page.evaluate(() => document.activeElement.classList.contains('frame')), second);
  await page.keyboard.press('Enter');
  check(`${name}: Enter widens a frame`, await page.evaluate(() => document.activeElement.classList.contains('frame')));
  await show(page, '#sql');
  await page.focus('textarea');
  await page.evaluate(() => { document.querySelector('textarea').value = 'SELECT 6 * 7 AS answer'; });
  await page.keyboard.down('Control');
  await page.keyboard.press('Enter');
  await page.keyboard.up('Control');
  await page.waitForFunction(() => document.querySelector('.rows tbody td')?.textContent === '42');
  same(`${name}: Ctrl+Enter`, '42', (await texts(page, '.rows tbody td'))[0]);
}

// Checks that a statement that never ends leaves the page usable and can be stopped.
async function endless(page, name) {
  const button = (text) => page.evaluate((t) => [...document.querySelectorAll('.editor button')].find((b) => b.textContent === t).click(), text);
  await show(page, '#sql');
  await page.evaluate(() => { document.querySelector('textarea').value = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n'; });
  await button('Run');
  same(`${name}: an endless statement runs`, 'The statement runs …', (await texts(page, '.editor [role=status]'))[0]);
  await button('Stop');
  await page.waitForFunction(() => document.querySelector('.editor [role=status]').textContent.startsWith('stopped'));
  await page.evaluate(() => { document.querySelector('textarea').value = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n'; });
  await button('Run');
  await page.evaluate(() => { document.querySelector('textarea').value = 'SELECT 6 * 7 AS answer'; });
  await button('Run');
  await page.waitForFunction(() => document.querySelector('.rows tbody td')?.textContent === '42');
  same(`${name}: a statement after it`, ['42'], await texts(page, '.rows tbody td'));
}

// Checks that names that look like markup are shown as text.
async function hostile(page, name) {
  for (const p of PAGES) {
    await show(page, `#${p}`);
    const found = await page.evaluate(() => ({
      title: document.title, taken: document.title === 'taken', scripts: document.scripts.length,
      markup: document.querySelectorAll('#page img, #page script, #page b b, #page i, #page iframe, #page [onerror]').length,
    }));
    check(`${name}: ${p}: no name is markup`, !found.taken && found.scripts === 1 && found.markup === 0, found);
  }
  await show(page, '#overview');
  const rows = (await texts(page, 'table.objects')).join(' ');
  for (const part of ['<script>', '\\u202e', '\\x1b[31m', '${alert(1)}', 'std::map<', 'bad']) {
    check(`${name}: "${part}" is shown`, rows.includes(part));
  }
  for (const o of sql(name, 'SELECT id FROM objects')) {
    await show(page, `#object?object=${o.id}`);
    check(`${name}: object ${o.id}`, (await page.$$('.head .name')).length === 1);
  }
  for (const row of sql(name, "SELECT hex(name) AS name FROM symbols WHERE linkage_name = 'odd' AND hex(name) NOT LIKE '%FF%'")) {
    await show(page, `#code?function=${encodeURIComponent(Buffer.from(row.name, 'hex').toString())}`);
    check(`${name}: a function with an odd name`, (await page.$$('.flame .frame')).length > 1);
  }
}

// Checks that the page's own content security policy forbids the network.
async function locked(page, name) {
  const answers = await page.evaluate(async () => {
    const tries = [fetch('https://example.org/').then(() => 'fetched', () => 'refused'), new Promise((done) => {
      const image = new Image();
      image.onload = () => done('loaded');
      image.onerror = () => done('refused');
      image.src = 'https://example.org/a.png';
    })];
    return Promise.all(tries);
  });
  same(`${name}: what its policy says to requests`, ['refused', 'refused'], answers);
}

// Shows the page in dark colours: as the system's choice, or with the page's own button in Firefox, which cannot
// be told the system's choice by WebDriver.
async function dark(page) {
  if (!firefox) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }, { name: 'prefers-reduced-motion', value: 'reduce' }]);
    return;
  }
  while (await page.$eval('html', (e) => e.dataset.theme) !== 'dark') {
    await page.click('.theme');
  }
}

// Waits until the page is drawn for the width of the window.
async function resize(page, width, height) {
  await page.setViewport({ width, height });
  await page.waitForFunction(() => Number(document.documentElement.dataset.width) === document.documentElement.clientWidth);
}

// Stores a picture for the documentation: the window, or the part between two elements.
async function picture(page, name, height, from, to) {
  if (!process.env.SCREENSHOTS) {
    return;
  }
  mkdirSync(process.env.SCREENSHOTS, { recursive: true });
  await resize(page, 1200, height);
  await page.evaluate(() => window.scrollTo(0, 0));
  const clip = from && await page.evaluate((a, b) => {
    const first = document.querySelector(a).getBoundingClientRect();
    const last = document.querySelector(b).getBoundingClientRect();
    return { x: first.left - 8, y: first.top - 8, width: first.width + 16, height: last.bottom - first.top + 16 };
  }, from, to);
  const path = join(process.env.SCREENSHOTS, `page-${name}.png`);
  await page.screenshot({ path, ...(clip && { clip }) });
  console.log(`${path}: ${statSync(path).size} bytes`);
  await resize(page, 1400, 900);
}

async function visit(browser, name) {
  const size = statSync(join(folder, `${name}.html`)).size;
  check(`${name}: size`, size < LARGEST, size);
  const page = await open(browser, name);
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
  console.log(`${name}: ${(size / 1048576).toFixed(2)} MiB, first paint after ${Math.round(paint ?? -1)} ms`);
  if (name === 'empty') {
    check('empty: says so', (await page.evaluate(() => document.body.textContent)).includes('no recording'));
    await page.close();
    return;
  }
  await page.bringToFront();
  await page.keyboard.press('Tab');
  same(`${name}: the first stop of the keyboard`, 'To the content', await page.evaluate(() => document.activeElement.textContent));
  await page.keyboard.press('Enter');
  same(`${name}: where it leads`, 'content', await page.evaluate(() => document.activeElement.id));
  for (const p of name === 'many' ? ['overview', 'object', 'code'] : name === 'counted' ? ['overview'] : PAGES) {
    await page.click(`[data-page=${p}]`);
    await page.waitForFunction((key) => document.querySelector(`[data-page=${key}]`).getAttribute('aria-current') === 'page', {}, p);
    check(`${name}: ${p}: a title`, (await page.title()).endsWith('memdb'));
    await figures(page, `${name}: ${p}`);
    await fits(page, `${name}: ${p}`);
    await whole(page, `${name}: ${p}`);
    if (p === 'object') {
      const touches = await page.evaluate(() => [...document.querySelectorAll('figure')].filter((f) => f.querySelector('h2').textContent === 'Who touched its pages first')
        .flatMap((f) => [...f.querySelectorAll('.plain tbody tr')].map((tr) => [...tr.children].slice(0, 3).map((c) => c.textContent).join())));
      same(`${name}: first touches of the same line, thread and node are one row`, [...new Set(touches)], touches);
    }
    if (name !== 'many' && name !== 'counted') {
      await accessible(page, `${name}: ${p}`);
    }
  }
  if (name !== 'many' && claims(name)) {
    await numbers(page, name);
  }
  if (name !== 'many' && name !== 'counted') {
    await choices(page, name);
    await keyboard(page, name);
    await endless(page, name);
  }
  if (name === 'demo') {
    await show(page, '#overview');
    await picture(page, 'overview', 860);
    await show(page, '#object');
    await picture(page, 'object', 1000, '.head', '.detail figure');
  }
  if (name === 'nodes') {
    await hostile(page, name);
    await dark(page);
    await resize(page, 480, 900);
    for (const p of PAGES) {
      await show(page, `#${p}`);
      await fits(page, `${name}: ${p}, narrow`);
      await accessible(page, `${name}: ${p}, dark`, ['color-contrast']);
    }
    await show(page, '#overview');
    same(`${name}: rows that are higher than a narrow window needs`, [], await page.$$eval('.objects tbody tr', (rows) => rows.map((r) => r.offsetHeight).filter((height) => height > 150)));
    if (!firefox) {
      same(`${name}: motion that is not wanted`, '0s', await page.$eval('button', (b) => getComputedStyle(b).transitionDuration));
      await page.emulateMediaType('print'); // draws the page again: an element is found and looked at in one step
      same(`${name}: printed without the way from page to page`, 'none', await page.evaluate(() => getComputedStyle(document.querySelector('.masthead nav')).display));
      same(`${name}: printed on white`, 'rgb(255, 255, 255)', await page.evaluate(() => getComputedStyle(document.querySelector('.figure')).backgroundColor));
      await page.emulateMediaType(null);
    }
  }
  page.removeAllListeners('request');
  page.removeAllListeners('console');
  page.removeAllListeners('pageerror'); // Firefox reports a refused request as one
  await locked(page, name);
  await page.close();
}

// Checks the page of a comparison: it has the rows that `memdb diff` prints, and no error.
async function comparison(browser) {
  const page = await open(browser, 'changes');
  const all = readFileSync(join(folder, 'changes.csv'), 'utf8').split('\r\n').filter(Boolean).slice(1);
  const parts = [...new Set(all.map((row) => row.split(',')[0]))];
  same('changes: a figure for each part but the run', parts.length - 1, (await page.$$('figure')).length);
  const run = all.filter((row) => row.startsWith('run,'));
  same('changes: verdicts of the run', run.filter((row) => row.split(',')[8] !== '').length, (await texts(page, '.verdict .lead')).length);
  same('changes: totals without an interval', run.filter((row) => row.split(',')[8] === '').length, (await texts(page, '.verdict .said')).length);
  const rows = await page.evaluate(() => [...document.querySelectorAll('figure')].reduce((n, f) => n + f.querySelectorAll('.picture tbody tr').length, 0));
  same('changes: rows', parts.filter((p) => p !== 'run').reduce((n, p) => n + Math.min(40, all.filter((row) => row.startsWith(`${p},`)).length), 0), rows);
  check('changes: what is beyond chance', (await texts(page, '.verdict .lead')).some((t) => t.includes('less, beyond chance')));
  same('changes: both programs', 2, (await texts(page, '.tile')).length);
  await figures(page, 'changes');
  await fits(page, 'changes');
  await accessible(page, 'changes');
  await page.close();
}

const browser = await puppeteer.launch({
  browser: firefox ? 'firefox' : 'chrome', executablePath: process.env.BROWSER, headless: true, timeout: 120000, protocolTimeout: 300000,
  args: firefox ? [] : ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--force-color-profile=srgb', '--host-resolver-rules=MAP * ~NOTFOUND'],
});
try {
  for (const name of names) {
    const start = Date.now();
    await visit(browser, name);
    console.log(`${name}: looked through in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  }
  await comparison(browser);
} finally {
  await browser.close();
}
console.log(failed ? `${failed} wrong` : 'all as it should be');
process.exit(failed ? 1 : 0);
