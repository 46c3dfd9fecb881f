// SPDX-License-Identifier: GPL-2.0-or-later
// How a statement is run, in the page and in its worker.

// SQLite's error for a statement that writes, and what the page says instead.
const READONLY = /attempt to write a readonly database/;
const ONLY_READS = 'this page only reads its tables: a statement that changes them is not run';

// Runs a statement on a database of sql.js and returns at most `limit` rows: { columns: [name], rows:
// [[value]], more }. `more` is true if the statement has further rows. A statement that writes is
// refused. (The PRAGMA is repeated, because the reader may have typed one that allows writing.)
export function askOf(db, sql, limit = Infinity) {
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
