// SPDX-License-Identifier: GPL-2.0-or-later
// The state of the page is kept in its address, so "back" works and a reader can bookmark a view:
// #PAGE?object=29&thread=3&function=f&from=0.5&to=1.2, times in seconds. A choice restricts every page.

export const KEYS = ['object', 'thread', 'function', 'from', 'to'];
const NUMBERS = new Set(['object', 'thread', 'from', 'to']);

export const state = { page: 'overview' };

function read() {
  const [page, query] = location.hash.slice(1).split('?');
  const values = new URLSearchParams(query ?? '');
  state.page = page || 'overview';
  for (const key of KEYS) {
    const text = values.get(key);
    const value = text === null ? null : NUMBERS.has(key) ? Number(text) : text;
    state[key] = Number.isNaN(value) ? null : value;
  }
}

// Returns the page address for the present state with these changes. null as a value removes a choice.
export function address(changes) {
  const next = { ...state, ...changes };
  const values = new URLSearchParams();
  for (const key of KEYS) {
    if (next[key] !== null && next[key] !== undefined) {
      values.set(key, next[key]);
    }
  }
  const query = values.toString();
  return `#${next.page}${query ? `?${query}` : ''}`;
}

export function go(changes) {
  location.hash = address(changes);
}

export function isFiltered(except = []) {
  return KEYS.some((key) => !except.includes(key) && state[key] !== null);
}

export function onChange(f) {
  window.addEventListener('hashchange', () => {
    read();
    f();
  });
  read();
}
