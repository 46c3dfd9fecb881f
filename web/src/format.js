// SPDX-License-Identifier: GPL-2.0-or-later
// Formats numbers with their units, and names as printable text.

const ESCAPES = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

// Escapes control characters and characters that change the direction of text.
export function visible(s) {
  // eslint-disable-next-line no-control-regex
  return String(s).replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (c) => ESCAPES[c] ?? (c < '\u0100' ? `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}` : `\\u${c.charCodeAt(0).toString(16)}`));
}

// Shortens a name to at most `max` characters. Drops the arguments of functions and templates first.
export function short(name, max = 60) {
  let s = visible(name);
  if (s.length > max) {
    s = dropArguments(s);
  }
  return s.length > max ? `${s.slice(0, max * 0.6)}…${s.slice(-max * 0.3)}` : s;
}

function dropArguments(s) {
  let out = '';
  let depth = 0;
  for (let i = 0; i < s.length; i++) {
    const c = s[i];
    const opens = c === '(' || (c === '<' && i > 0 && /[\w]/.test(s[i - 1]) && !out.endsWith('operator'));
    if (opens && s.startsWith('(anonymous namespace)', i) && !depth) {
      out += '(anonymous namespace)';
      i += 20;
      continue;
    }
    if (opens) {
      if (!depth++) {
        out += c === '<' ? '<…>' : '(…)';
      }
    } else if (depth && (c === ')' || (c === '>' && s[i - 1] !== '-'))) {
      depth--;
    } else if (!depth) {
      out += c;
    }
  }
  return out;
}

export function baseName(path) {
  return path ? visible(path.slice(path.lastIndexOf('/') + 1)) : '';
}

export function place(file, line) {
  return file ? `${baseName(file)}${line ? `:${line}` : ''}` : '';
}

export const DASH = '–';

export function percent(x, digits = 1) {
  return x === null || x === undefined ? DASH : `${x.toFixed(digits)} %`;
}

// Returns the remote share of a row as two texts: the share, and its range with the part of the
// accesses whose node is known: ["12 %", " 5–31, known for 70 %"].
export function remoteShare(r) {
  return r.remote_pct === null || r.remote_pct === undefined ? [DASH, '']
    : [percent(r.remote_pct, 0), ` ${interval(r.remote_low_pct, r.remote_high_pct, 0)}${r.home_pct < 99.5 ? `, known for ${percent(r.home_pct, 0)}` : ''}`];
}

// Returns a range as text, such as "93.9–95.5".
export function interval(low, high, digits = 1) {
  return low === null || high === null || low === undefined ? '' : `${low.toFixed(digits)}–${high.toFixed(digits)}`;
}

export function count(n) {
  return n === null || n === undefined ? DASH : Math.round(n).toLocaleString('en-US').replaceAll(',', '\u202f');
}

export function bytes(n) {
  if (n === null || n === undefined) {
    return DASH;
  }
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let i = 0;
  let x = n;
  for (; x >= 1024 && i < units.length - 1; i++) {
    x /= 1024;
  }
  return `${i === 0 || x >= 100 ? Math.round(x) : x.toFixed(1)} ${units[i]}`;
}

export function seconds(s) {
  if (s === null || s === undefined) {
    return DASH;
  }
  const a = Math.abs(s);
  if (a >= 100) {
    return `${s.toFixed(0)} s`;
  }
  if (a >= 1 || a === 0) {
    return `${s.toFixed(2)} s`;
  }
  return a >= 1e-3 ? `${(s * 1e3).toFixed(1)} ms` : `${(s * 1e6).toFixed(0)} µs`;
}

// Formats times, given in seconds, all in the unit that suits the largest of them.
export function instants(values, digits = 3) {
  const most = Math.max(...values.map(Math.abs));
  const [unit, factor] = most >= 1 ? ['s', 1] : most >= 1e-3 ? ['ms', 1e3] : ['µs', 1e6];
  return values.map((v) => `${Number((v * factor).toPrecision(digits))} ${unit}`);
}

// Formats a cost. `unit` is the column cost_unit of the run.
export function cost(x, unit) {
  if (unit === 'ns') {
    return seconds(x / 1e9);
  }
  const units = ['', ' k', ' M', ' G', ' T'];
  let i = 0;
  let v = x;
  for (; v >= 1000 && i < units.length - 1; i++) {
    v /= 1000;
  }
  return `${v >= 100 || i === 0 ? v.toFixed(0) : v.toFixed(1)}${units[i]} cycles`;
}
