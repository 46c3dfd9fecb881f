// SPDX-License-Identifier: GPL-2.0-or-later
// Creates elements. Text enters the page only as text nodes and attributes, so no name in a recording is parsed as
// markup.

const SVG = 'http://www.w3.org/2000/svg';

function fill(e, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (name.startsWith('on')) {
      e.addEventListener(name.slice(2), value);
    } else if (name === 'style') {
      for (const [property, v] of Object.entries(value)) {
        e.style.setProperty(property, v);
      }
    } else {
      e.setAttribute(name, value === true ? '' : value);
    }
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) {
      e.append(child);
    }
  }
  return e;
}

// Creates an HTML element: h('p', { class: 'note' }, 'text', element, [more])
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

let ids = 0;

// Returns an id that no other element has.
export function newId() {
  return `e${++ids}`;
}

// Creates a canvas of width × height CSS pixels in the screen's resolution. Its context is scaled to CSS pixels.
export function canvas(width, height, label) {
  const ratio = window.devicePixelRatio || 1;
  const e = h('canvas', { role: 'img', 'aria-label': label, style: { width: `${width}px`, height: `${height}px` } });
  e.width = Math.max(1, Math.round(width * ratio));
  e.height = Math.max(1, Math.round(height * ratio));
  const g = e.getContext('2d');
  g.scale(ratio, ratio);
  return { e, g };
}

// Returns a colour of style.css by name, such as "--accent".
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export const CATEGORIES = 8;

// Returns the colour of the i-th node, thread or other category. There are CATEGORIES different colours.
export function category(i) {
  return colour(`--c${((i % CATEGORIES) + CATEGORIES) % CATEGORIES}`);
}
