// SPDX-License-Identifier: GPL-2.0-or-later
// page.mjs FILE...: runs the script of memdb's HTML pages without a browser, so that every SQL statement of the page
// runs on its database. The elements are stand-ins that keep attributes, children and listeners, and draw nothing.
// Follows all links of the page to itself (at most VISITS) and presses the buttons that choose what a picture shows.
// Also types statements that write into the page of SQL, which must refuse them. Prints each error. tests/browser tests
// the visible page.
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';

const VISITS = 40;
const nothing = new Proxy(function () {}, { // stands for objects that the page uses only to draw
  get: (_, key) => (key === Symbol.toPrimitive ? () => 0 : key === Symbol.iterator ? [][Symbol.iterator] : nothing), apply: () => nothing, construct: () => nothing, set: () => true,
});

class Element {
  constructor(tag) {
    Object.assign(this, { tagName: tag.toUpperCase(), children: [], attributes: {}, listeners: {}, dataset: {}, style: nothing, classList: nothing, clientWidth: 1200, offsetWidth: 0, offsetHeight: 0, value: '' });
  }
  append(...more) { this.children.push(...more); }
  replaceChildren(...children) { this.children = children.flat(); }
  setAttribute(name, value) { this.attributes[name] = String(value); }
  getAttribute(name) { return this.attributes[name] ?? null; }
  toggleAttribute() {}
  appendChild(e) { this.children.push(e); return e; }
  insertBefore(e) { this.children.unshift(e); }
  removeEventListener() {}
  removeAttribute(name) { delete this.attributes[name]; }
  addEventListener(name, f) { this.listeners[name] = f; }
  getContext() { return nothing; }
  getBoundingClientRect() { return { left: 0, top: 0, width: 1200, height: 300 }; }
  querySelectorAll() { return []; }
  querySelector() { return null; }
  remove() {}
  focus() {}
  scrollIntoView() {}
  get firstChild() { return this.children[0] ?? null; }
  set textContent(text) { this.children = [text]; }
  get textContent() { return this.children.map((c) => c?.textContent ?? c).join(''); }
  * all() { yield this; for (const c of this.children) { if (c instanceof Element) { yield* c.all(); } } }
}

// Runs the page's worker in this thread, from the Blob that stands for its URL.
class Worker {
  constructor(program) {
    const self = { WebAssembly, TextDecoder, TextEncoder, URL, console, performance, setTimeout, location: { href: '' }, postMessage: (data) => this.onmessage({ data }) };
    self.self = self.globalThis = self;
    this.began = program.text().then((text) => { runInNewContext(text, self); return self; });
  }
  postMessage(data) { this.began.then((self) => self.onmessage({ data })); }
  terminate() {}
}
class PageURL extends URL {
  static createObjectURL(blob) { return blob; }
  static revokeObjectURL() {}
}

// Types statements into the page of SQL: those that write must be refused, and the page must still have its rows.
async function write(page) {
  const all = [...page.all()];
  const area = all.find((e) => e.tagName === 'TEXTAREA');
  const run = all.find((e) => e.tagName === 'BUTTON' && e.textContent === 'Run');
  const said = all.find((e) => e.attributes.role === 'status');
  const stop = all.find((e) => e.tagName === 'BUTTON' && e.textContent === 'Stop');
  const type = async (sql) => {
    area.value = sql;
    run.listeners.click({});
    do {
      await new Promise((done) => { setTimeout(done, 20); });
    } while (!stop.hidden);
    return said.textContent;
  };
  for (const sql of ['DELETE FROM points', 'DROP TABLE points', 'PRAGMA query_only = 0', 'UPDATE points SET cost = 0', 'INSERT INTO points SELECT * FROM points']) {
    const answer = await type(sql);
    if (!sql.startsWith('PRAGMA') && !answer.startsWith('this page only reads its tables')) {
      throw new Error(`${sql}: '${answer}'`);
    }
  }
  if (await type('SELECT count(*) > 0 AS kept FROM points') || ![...page.all()].some((e) => e.tagName === 'TD' && e.textContent === '1')) {
    throw new Error('points have no rows after a DELETE');
  }
}

// On the page of a selection, shares are of the selection.
function checkWhole(text) {
  const wrong = /selected: /.test(text) && text.match(/(Shares[^.]* of|Verdict of|samples of) the (whole )?run/);
  if (wrong) {
    throw new Error(`'${wrong[0]}', but it is of the selection`);
  }
}

async function visit(file) {
  const html = readFileSync(file, 'utf8');
  const root = new Element('html');
  const byId = { page: new Element('div'), tip: new Element('div') };
  for (const [, id, text] of html.matchAll(/<script type="text\/plain" id="(\w+)">([^<]*)</g)) {
    byId[id] = new Element('script');
    byId[id].textContent = text;
  }
  let changed;
  let wrong;
  const window = {
    document: { documentElement: root, createElement: (tag) => new Element(tag), createElementNS: (_, tag) => new Element(tag), getElementById: (id) => byId[id] ?? new Element('p'), querySelectorAll: () => [] },
    location: { hash: '' }, dispatchEvent() {}, removeEventListener() {}, CustomEvent: class {}, navigator: { language: 'en' }, HTMLElement: Element, Path2D: class { constructor() { return nothing; } }, queueMicrotask,
    addEventListener: (name, f) => { changed = name === 'hashchange' ? f : changed; }, matchMedia: () => nothing, getComputedStyle: () => ({ getPropertyValue: () => '#123456' }),
    scrollTo() {}, ResizeObserver: class { observe() {} }, devicePixelRatio: 1, innerWidth: 1200, innerHeight: 800, requestAnimationFrame: (f) => f(),
    atob, Blob, Response, DecompressionStream, WebAssembly, URLSearchParams, URL: PageURL, Worker, TextDecoder, TextEncoder, console: { log() {}, warn() {}, error: (...said) => { wrong ??= said.join(' '); } }, setTimeout, clearTimeout, performance,
  };
  window.window = window.self = window.globalThis = window;
  runInNewContext(html.slice(html.lastIndexOf('<script>') + 8, html.lastIndexOf('</script>')), window);
  for (let i = 0; i < 600 && !wrong && root.dataset.ready !== 'true' && !byId.page.textContent.includes('holds no recording'); i++) {
    await new Promise((done) => { setTimeout(done, 100); });
  }
  if (wrong || !byId.page.children.length) {
    throw new Error(wrong ?? 'the page does not begin');
  }
  for (const e of [...byId.page.all()].filter((x) => x.attributes.class === 'lead' && byId.page.textContent.includes('What changed'))) { // the page of a comparison
    if (!/(within|beyond) chance$|equal$/.test(e.textContent) || [...e.all()].some((x) => x.tagName === 'STRONG') !== e.textContent.endsWith('beyond chance')) {
      throw new Error(`looks like a verdict: ${e.textContent}`);
    }
  }
  const links = new Set([...byId.page.all()].map((e) => e.attributes.href).filter((l) => l?.startsWith('#')));
  const pressed = () => [...byId.page.all()].filter((e) => e.attributes['aria-pressed'] === 'false');
  for (const link of links) { // the loop may add links to the list
    if (links.visited === undefined) { links.visited = 0; }
    if (!changed || links.visited >= VISITS) { break; }
    links.visited++;
    window.location.hash = link;
    try {
      changed();
      checkWhole(byId.page.textContent);
      if (link === '#sql') { await write(byId.page); }
      pressed().forEach((button) => button.listeners.click({ currentTarget: button }));
    } catch (error) {
      throw new Error(`${link}: ${error.message}`, { cause: error });
    }
    [...byId.page.all()].forEach((e) => e.attributes.href?.startsWith('#') && links.add(e.attributes.href));
  }
  return links.visited ?? 0;
}

process.on('unhandledRejection', (error) => { console.log(`FAIL: ${error.message}`); process.exit(1); });
for (const file of process.argv.slice(2)) {
  try {
    console.log(`${file}: ${await visit(file)} views`);
  } catch (error) {
    console.log(`FAIL ${file}: ${error.message}`);
    process.exitCode = 1;
  }
}
