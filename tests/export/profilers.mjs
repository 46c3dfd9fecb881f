// SPDX-License-Identifier: GPL-2.0-or-later
// node profilers.mjs PACKAGES BROWSER_PACKAGES WORK RUN: lets the Firefox Profiler and speedscope read WORK/RUN.firefox and
// WORK/RUN.speedscope, and compares the cost of functions and the kept memory that they show with WORK/RUN.collapsed and
// WORK/RUN.db. The Firefox Profiler runs as its command-line program. speedscope runs in $BROWSER, and is left out without.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [packages, browserPackages, work, run] = process.argv.slice(2);
let failed = 0;
let compared = 0;

function check(what, got, want) {
  compared += 1;
  const same = typeof got === 'number' && typeof want === 'number' ? Math.abs(got - want) <= 1e-6 * Math.max(1, Math.abs(want)) : got === want;
  if (!same) {
    failed += 1;
    console.log(`FAIL ${what}: ${got}, not ${want}`);
  }
}

// The cost of each function, without the functions that it calls. Names that collapsed stacks must escape are left out.
const own = new Map();
for (const line of readFileSync(`${work}/${run}.collapsed`, 'utf8').trimEnd().split('\n')) {
  const name = line.slice(0, line.lastIndexOf(' ')).split(';').at(-1);
  own.set(name, (own.get(name) ?? 0) + Number(line.slice(line.lastIndexOf(' ') + 1)));
}
const plain = [...own].filter(([name]) => /^[a-z]\w*$/.test(name));
check('functions with plain names', plain.length >= 4, true);

const profiler = (...args) => spawnSync('node', [`${packages}/node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js`, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
// A thread without allocations makes the program fail if it is asked for them.
const ask = (...args) => JSON.parse(profiler(...args, '--json').stdout || '{"functions": []}');

// The program gives its daemon half a second to start. On a busy machine it needs longer, and goes on starting.
profiler('load', `${work}/${run}.firefox`);
for (let tries = 0; tries < 200 && profiler('thread', 'list').status; tries++) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
}
const seen = new Map();
let kept = 0;
for (const { threadHandle: thread } of ask('thread', 'list').threads) {
  for (const f of ask('thread', 'functions', '--thread', thread, '--limit', '0', '--include-idle').functions) {
    seen.set(f.name, (seen.get(f.name) ?? 0) + f.selfSamples);
  }
  for (const f of ask('thread', 'functions', '--thread', thread, '--limit', '0', '--strategy', 'native-allocations').functions) {
    kept += f.selfSamples;
  }
}
profiler('stop', '--all');
for (const [name, cost] of plain) {
  check(`Firefox Profiler: ${name}`, seen.get(name), cost);
}
const [{ bytes }] = JSON.parse(execFileSync('sqlite3', ['-readonly', '-json', `${work}/${run}.db`, 'SELECT sum(size_bytes) AS bytes FROM allocations'], { encoding: 'utf8' }));
check('Firefox Profiler: allocated bytes', kept, bytes);

if (process.env.BROWSER) {
  const puppeteer = createRequire(`${browserPackages}/package.json`)('puppeteer-core');
  // speedscope loads what such a script passes to it, as its own command does.
  writeFileSync(`${work}/load.js`, `speedscope.loadFileFromBase64('run', '${readFileSync(`${work}/${run}.speedscope`).toString('base64')}')`);
  const browser = await puppeteer.launch({ executablePath: process.env.BROWSER, headless: true, args: ['--no-sandbox', '--allow-file-access-from-files', '--enable-unsafe-swiftshader', '--use-gl=swiftshader'] });
  const page = await browser.newPage();
  await page.goto(`file://${packages}/node_modules/speedscope/dist/release/index.html#localProfilePath=${work}/load.js`);
  await page.waitForFunction(() => document.title.startsWith('cost of memory'), { timeout: 120000 });
  for (let tries = 0; tries < 200 && !await page.evaluate(() => document.body.innerText.includes('Symbol Name')); tries++) {
    await page.keyboard.press('3'); // shows the table of functions, once the page listens to keys
    await new Promise((done) => { setTimeout(done, 200); });
  }
  const rows = await page.evaluate(() => [...document.querySelectorAll('tr')].map((r) => [...r.cells].map((c) => c.innerText.trim())));
  await browser.close();
  for (const [name, cost] of plain) {
    const shown = rows.find((r) => r.at(-1) === name)?.[1] ?? ''; // such as "1,780,788,000 (50%)"
    check(`speedscope: ${name}`, Number(shown.split(' ')[0].replaceAll(',', '')), cost);
  }
}
console.log(`${compared} values compared with other profilers, ${failed} differ`);
process.exit(failed ? 1 : 0);
