// SPDX-License-Identifier: GPL-2.0-or-later
// The page's database: unpacks it from the page and runs SQL on it.
import initSqlJs from 'sql.js/dist/sql-wasm-browser.js';

let db;

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
  const [wasm, data] = await Promise.all([unpack('sqlite'), unpack('data')]);
  const SQL = await initSqlJs({ wasmBinary: wasm });
  db = new SQL.Database(data);
  return data.length;
}

// Runs statements of the page's own that write.
export function run(sql) {
  db.run(`PRAGMA query_only = 0; ${sql}`);
}

// SQLite's error for a statement that writes, and what the page says instead.
const READONLY = /attempt to write a readonly database/;
const ONLY_READS = 'this page only reads its tables: a statement that changes them is not run';

// Runs a statement and returns at most `limit` rows: { columns: [name], rows: [[value]], more }. `more` is true if
// the statement has further rows. A statement that writes is refused. (The PRAGMA is repeated, because the reader may
// have typed one that allows writing.)
export function ask(sql, limit = Infinity) {
  db.run('PRAGMA query_only = 1');
  const st = db.prepare(sql);
  const rows = [];
  let more = false;
  try {
    const columns = st.getColumnNames();
    while (st.step()) {
      if (rows.length >= limit) {
        more = true;
        break;
      }
      rows.push(st.get());
    }
    return { columns, rows, more };
  } catch (error) {
    throw READONLY.test(error.message) ? new Error(ONLY_READS) : error;
  } finally {
    st.free();
  }
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
