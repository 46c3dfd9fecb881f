// SPDX-License-Identifier: GPL-2.0-or-later
// The page's database: unpacks it from the page and runs SQL on it.
import initSqlJs from 'sql.js/dist/sql-wasm-browser.js';
import { askOf } from './ask.js';

let db;
let kept; // what the worker needs: SQLite, the database, and the worker's own program

// Decodes the base64 text of the script element with this id and decompresses it.
async function unpack(id) {
  const element = document.getElementById(id);
  const text = atob(element.textContent);
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    packed[i] = text.charCodeAt(i);
  }
  element.remove();
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function open() {
  const [wasm, data, program] = await Promise.all([unpack('sqlite'), unpack('data'), unpack('worker')]);
  kept = { wasm, data, program: new Blob([program], { type: 'text/javascript' }) };
  const SQL = await initSqlJs({ wasmBinary: wasm });
  db = new SQL.Database(data);
  return data.length;
}

// Runs statements of the page's own that write.
export function run(sql) {
  db.run(`PRAGMA query_only = 0; ${sql}`);
}

// Runs a statement of the page's own, which is known to end. The result is that of askOf().
export function ask(sql, limit = Infinity) {
  return askOf(db, sql, limit);
}

// Throws SQLite's error if the statement is wrong, without running it.
export function parse(sql) {
  db.prepare(sql).free();
}

// Starts a statement of the reader, which may never end, in a worker. Returns { result, stop }: a promise of
// what ask() returns, and a function that ends the statement.
export function start(sql, limit) {
  const url = URL.createObjectURL(kept.program);
  const worker = new Worker(url);
  let stop;
  const result = new Promise((done, fail) => {
    stop = () => fail(new Error('stopped: the statement had not ended'));
    worker.onmessage = ({ data }) => (data.error === undefined ? done(data.result) : fail(new Error(data.error)));
    worker.onerror = (e) => fail(new Error(e.message || 'the browser runs no worker here'));
    worker.postMessage({ wasm: kept.wasm, data: kept.data, sql, limit });
  }).finally(() => {
    worker.terminate();
    URL.revokeObjectURL(url);
  });
  return { result, stop };
}

// Converts a result of ask() to a list of objects, each with a property per column.
export function objectsOf({ columns, rows }) {
  return rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])));
}

export function all(sql) {
  return objectsOf(ask(sql));
}

export function one(sql) {
  return all(sql)[0];
}

// Returns a value as SQL text. A NUL becomes char(0), because SQLite's parser stops at a NUL.
export function literal(v) {
  if (v === null || v === undefined) {
    return 'NULL';
  }
  return typeof v === 'number' ? String(v) : `'${v.replaceAll("'", "''").replaceAll('\0', "' || char(0) || '")}'`;
}

// Returns a result of ask() as comma-separated values (RFC 4180).
export function csv({ columns, rows }) {
  const field = (v) => {
    const s = v === null ? '' : String(v);
    return /[",\r\n]/.test(s) ? `"${s.replaceAll('"', '""')}"` : s;
  };
  return [columns, ...rows].map((row) => row.map(field).join(',')).join('\r\n');
}
