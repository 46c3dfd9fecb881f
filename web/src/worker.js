// SPDX-License-Identifier: GPL-2.0-or-later
// Runs one statement of the reader in a thread of its own, which the page can end. The first message
// has the compiled SQLite, the database and the statement; the answer is the result or the error.
import initSqlJs from 'sql.js/dist/sql-wasm-browser.js';
import { askOf } from './ask.js';

onmessage = async ({ data: { wasm, data, sql, limit } }) => {
  try {
    const SQL = await initSqlJs({ wasmBinary: wasm });
    postMessage({ result: askOf(new SQL.Database(data), sql, limit) });
  } catch (error) {
    postMessage({ error: error.message });
  }
};
