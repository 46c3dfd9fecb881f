// SPDX-License-Identifier: GPL-2.0-or-later
// A flame graph with its root on top: a box for each frame, as wide as the cost of the frame and its callees. Boxes are
// buttons: a click or Enter enlarges a box to the picture's width, and arrow keys move from box to box.
import { all } from '../db.js';
import { h } from '../dom.js';
import { count, percent, place, short, visible } from '../format.js';

const ROW = 20;
const LEAST = 0.0015; // share of the picture's width; thinner boxes are omitted
const DEPTH = 160;

let frames;
let paths;

function load() {
  if (paths) {
    return;
  }
  frames = new Map();
  for (const f of all('SELECT location_id, function, file, line FROM frames ORDER BY location_id, depth')) {
    const list = frames.get(f.location_id) ?? [];
    list.push(f);
    frames.set(f.location_id, list);
  }
  paths = new Map(all('SELECT id, parent_id, location_id, kind FROM paths').map((p) => [p.id, p]));
}

// Returns the frames of the call path with this id, outermost first.
function stackOf(id) {
  const stack = [];
  for (let p = paths.get(id), n = 0; p && n < 4096; p = paths.get(p.parent_id), n++) {
    if (p.kind === 'truncated') {
      stack.push({ function: '[what called it is not known]', kind: 'truncated' });
    } else if (p.kind !== 'root') {
      for (const f of frames.get(p.location_id) ?? [{ function: '[unknown]' }]) {
        stack.push({ ...f, kind: p.kind });
      }
    }
  }
  return stack.reverse();
}

function child(parent, f) {
  let c = parent.children.get(f.function);
  if (!c) {
    c = { name: f.function, file: f.file, line: f.line, kind: f.kind, w: 0, samples: 0, children: new Map(), parent, depth: parent.depth + 1 };
    parent.children.set(f.function, c);
  }
  return c;
}

// Builds the tree of frames from rows { path_id, w, samples }: w is the cost of the samples with
// this call path.
export function tree(rows) {
  load();
  const root = { name: 'all', w: 0, samples: 0, children: new Map(), depth: 0 };
  for (const r of rows) {
    const stack = r.path_id === null ? [{ function: '[no call path]' }] : paths.has(r.path_id) ? stackOf(r.path_id) : [{ function: '[call path cut]' }];
    let node = root;
    node.w += r.w;
    node.samples += r.samples;
    for (const f of stack) {
      node = child(node, f);
      node.w += r.w;
      node.samples += r.samples;
    }
  }
  return root;
}

// Returns a shade that depends only on the name, so a function has the same shade everywhere.
function shade(node) {
  let n = 7;
  for (const c of node.name.slice(0, 200)) {
    n = (n * 31 + c.charCodeAt(0)) % 9973;
  }
  const base = node.kind === 'kernel' ? '--muted' : node.kind === 'truncated' || node.name.startsWith('[') ? '--line' : '--hot';
  return `color-mix(in srgb, var(${base}) ${16 + (n % 5) * 5}%, var(--card))`;
}

// Draws the flame graph of a tree. choose(name) is called to restrict the page to a function.
export function flame(root, { choose }) {
  const box = h('div', { class: 'flame', role: 'group', 'aria-label': 'Flame graph: arrows go from frame to frame, Enter widens one' });
  const info = h('p', { class: 'flame-info', role: 'status' });
  const found = h('span', { class: 'note', role: 'status' });
  const search = h('input', { type: 'search', placeholder: 'find a function', 'aria-label': 'Find a function', oninput: () => mark() });
  let focus = root;
  let boxes = new Map();

  const say = (node) => {
    info.replaceChildren(h('b', {}, short(node.name, 120)), ` ${percent((100 * node.w) / root.w)}, ${count(node.samples)} samples ${place(node.file, node.line)} `,
      node === root || node.name.startsWith('[') ? '' : h('button', { type: 'button', class: 'quiet', onclick: () => choose(node.name) }, 'Restrict all to it'));
  };
  const mark = () => {
    const text = search.value.toLowerCase();
    let sum = 0;
    const walk = (node, inside) => {
      const hit = text !== '' && node.name.toLowerCase().includes(text);
      if (hit && !inside) {
        sum += node.w;
      }
      boxes.get(node)?.classList.toggle('found', hit);
      node.children.forEach((c) => walk(c, inside || hit));
    };
    walk(root, false);
    found.textContent = text ? `${percent((100 * sum) / root.w)} in what has it in its name` : '';
  };
  const put = (node, left, width, row) => {
    if (row >= DEPTH) {
      return;
    }
    // The box cuts the name where it ends. What it shows must be in the accessible name, so it is no other abbreviation.
    const name = short(node.name, Math.max(60, Math.round(width * 190)));
    const e = h('button', {
      type: 'button', class: 'frame', tabindex: -1, title: `${short(node.name, 200)} ${percent((100 * node.w) / root.w)}`,
      'aria-label': `${name}, ${percent((100 * node.w) / root.w)}`,
      style: { left: `${100 * left}%`, width: `calc(${100 * width}% - 1px)`, top: `${row * ROW}px`, background: shade(node) },
      onclick: () => { focus = node; draw(node); }, onpointerenter: () => say(node), onfocus: () => say(node),
    }, width > 0.02 ? name : '');
    boxes.set(node, e);
    box.append(e);
    if (row < depthOf(focus)) {
      return;
    }
    let at = left;
    for (const c of [...node.children.values()].sort((a, b) => b.w - a.w || (a.name < b.name ? -1 : 1))) {
      const w = (width * c.w) / (node.w || 1);
      if (w >= LEAST) {
        put(c, at, w, row + 1);
      }
      at += w;
    }
  };
  const depthOf = (node) => node.depth;
  const draw = (keep) => {
    boxes = new Map();
    box.replaceChildren();
    const above = [];
    for (let n = focus.parent; n; n = n.parent) {
      above.unshift(n);
    }
    above.forEach((n, row) => put(n, 0, 1, row));
    put(focus, 0, 1, above.length);
    const deepest = Math.max(...[...boxes.keys()].map((n) => n.depth));
    box.style.setProperty('height', `${(deepest + 1) * ROW}px`);
    const current = boxes.get(keep ?? focus);
    current?.setAttribute('tabindex', '0');
    if (keep) {
      current?.focus({ preventScroll: true });
    }
    say(focus);
    mark();
  };
  box.addEventListener('keydown', (e) => {
    const node = [...boxes].find(([, b]) => b === document.activeElement)?.[0];
    if (!node) {
      return;
    }
    const siblings = node.parent ? [...node.parent.children.values()].sort((a, b) => b.w - a.w).filter((n) => boxes.has(n)) : [node];
    const at = siblings.indexOf(node);
    const next = {
      ArrowUp: node.parent, ArrowLeft: siblings[at - 1], ArrowRight: siblings[at + 1], Home: root,
      ArrowDown: [...node.children.values()].sort((a, b) => b.w - a.w).find((n) => boxes.has(n)),
    }[e.key];
    if (e.key === 'Escape') {
      focus = root;
      draw(root);
    }
    if (next && boxes.has(next)) {
      e.preventDefault();
      boxes.get(node).setAttribute('tabindex', '-1');
      boxes.get(next).setAttribute('tabindex', '0');
      boxes.get(next).focus();
    }
  });
  draw();
  return h('div', {}, h('div', { class: 'bar' }, search, found,
    h('button', { type: 'button', class: 'quiet', onclick: () => { focus = root; draw(); } }, 'Show all')), info, box);
}
