// SPDX-License-Identifier: GPL-2.0-or-later
// node export.mjs PACKAGES WORK RUN...: compares WORK/runs, RUN.pb.gz and metadata.json with WORK/RUN.db. For each column
// of each table and view of the first run, it compares the numbers of rows and values, the sum of the values, and the
// sum of the lengths of texts.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';

const [packages, work, ...runs] = process.argv.slice(2);
const require = createRequire(`${packages}/package.json`);
const { DuckDBInstance } = require('@duckdb/node-api');
const { Profile } = require('pprof-format');
const entry = (name, file) => import(pathToFileURL(`${packages}/node_modules/${name}/${file}`));
const { asyncBufferFromFile, parquetReadObjects } = await entry('hyparquet', 'src/node.js').then(async (m) => ({ ...(await entry('hyparquet', 'src/index.js')), ...m }));
const { compressors } = await entry('hyparquet-compressors', 'src/index.js');

let failed = 0;
let compared = 0;
function check(what, got, want) {
  compared += 1;
  const same = typeof got === 'number' && typeof want === 'number' ? Math.abs(got - want) <= 1e-9 * Math.max(1, Math.abs(want)) : got === want;
  if (!same) {
    failed += 1;
    console.log(`FAIL ${what}: ${got}, not ${want}`);
  }
}
const sqlite = (db, sql) => JSON.parse(execFileSync('sqlite3', ['-readonly', '-json', `${work}/${db}.db`, sql], { maxBuffer: 1 << 28 }).toString() || '[]');
const quote = (name) => `"${name.replaceAll('"', '""')}"`;
const duck = await (await DuckDBInstance.create(':memory:')).connect();
const ask = async (sql) => (await duck.runAndReadAll(sql)).getRowObjectsJS();

for (const run of runs.slice(0, 1)) {
  const tables = sqlite(run, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'").map((r) => r.name);
  check(`${run}: tables`, tables.length > 60, true);
  for (const table of tables) {
    const file = `${work}/runs/table=${table}/run=${run}/part.parquet`;
    check(`${run} ${table}: there`, existsSync(file), true);
    const columns = (await ask(`DESCRIBE SELECT * FROM read_parquet('${file}', hive_partitioning = false)`)).map((c) => [c.column_name, c.column_type]);
    const empty = file.replace(`run=${run}`, 'run=empty');
    if (existsSync(empty)) { // the same types without values
      const types = (await ask(`DESCRIBE SELECT * FROM read_parquet('${empty}', hive_partitioning = false)`)).map((c) => [c.column_name, c.column_type]);
      check(`${run} ${table}: types`, columns.filter((c, i) => c.join() !== types[i].join()).join(' '), '');
    }
    const names = sqlite(run, `SELECT name FROM pragma_table_info('${table}')`).map((r) => r.name);
    check(`${run} ${table}: columns`, columns.map((c) => c[0]).join(), names.join());
    const sums = (text, byte) => `SELECT count(*) AS n${columns.map(([name, type], i) => `, count(${quote(name)}) AS c${i}, CAST(${text}(sum(${type === 'VARCHAR' ? byte(quote(name)) : `CAST(${quote(name)} AS DOUBLE)`}), 0) AS DOUBLE) AS s${i}`).join('')}`;
    const [got] = await ask(`${sums('coalesce', (c) => `strlen(${c})`)} FROM read_parquet('${file}', hive_partitioning = false)`);
    const [want] = sqlite(run, `${sums('coalesce', (c) => `length(CAST(${c} AS BLOB))`)} FROM ${quote(table)}`);
    for (const key of Object.keys(want)) {
      check(`${run} ${table}: ${key === 'n' ? 'rows' : `${key} ${columns[key.slice(1)][0]}`}`, Number(got[key]), want[key]);
    }
  }
}

// Several runs are one data set. A second reader (hyparquet) must see the same rows as DuckDB.
const [all] = await ask(`SELECT count(*) AS n, count(DISTINCT run) AS runs FROM read_parquet('${work}/runs/table=samples/*/*.parquet', hive_partitioning = true)`);
check('samples of all runs', Number(all.n), runs.reduce((sum, run) => sum + sqlite(run, 'SELECT count(*) AS n FROM samples')[0].n, 0));
check('runs', Number(all.runs), runs.length);
const [bad] = await ask(`SELECT count(*) AS n FROM read_parquet('${work}/runs/table=symbols/*/*.parquet') WHERE name LIKE 'bad%xff%name'`);
check('a name that is not UTF-8', Number(bad.n) > 0, true);
for (const table of ['objects', 'samples', 'object_costs']) {
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(`${work}/runs/table=${table}/run=${runs[0]}/part.parquet`), compressors });
  const want = sqlite(runs[0], `SELECT * FROM ${table}`);
  check(`hyparquet ${table}: rows`, rows.length, want.length);
  want.forEach((row, i) => Object.entries(row).forEach(([name, value]) => {
    const got = rows[i]?.[name];
    check(`hyparquet ${table} ${i} ${name}`, typeof got === 'bigint' ? Number(got) : got ?? null, value);
  }));
}

// The pprof file must have the same call paths and costs as the collapsed stacks.
for (const run of runs) {
  const profile = Profile.decode(gunzipSync(readFileSync(`${work}/${run}.pb.gz`)));
  const text = (i) => profile.stringTable.strings[Number(i)];
  const functions = new Map(profile.function.map((f) => [Number(f.id), text(f.name)]));
  const locations = new Map(profile.location.map((l) => [Number(l.id), functions.get(Number(l.line[0].functionId))]));
  const got = new Map();
  for (const s of profile.sample) {
    const path = [...s.locationId].reverse().map((id) => locations.get(Number(id)).replaceAll(';', ':')).join(';');
    got.set(path, (got.get(path) ?? 0) + Number(s.value[0]));
  }
  const want = new Map();
  for (const line of readFileSync(`${work}/${run}.collapsed`, 'utf8').trimEnd().split('\n')) {
    const at = line.lastIndexOf(' ');
    want.set(line.slice(0, at), (want.get(line.slice(0, at)) ?? 0) + Number(line.slice(at + 1)));
  }
  check(`${run} pprof: a cost`, [...want.values()].some((v) => v > 0), true);
  check(`${run} pprof: cost`, [...got.values()].reduce((a, b) => a + b, 0), [...want.values()].reduce((a, b) => a + b, 0));
  check(`${run} pprof: paths`, got.size, want.size);
  for (const [path, cost] of want) {
    if (!path.includes('\\')) { // such a path is escaped in the collapsed stacks
      check(`${run} pprof ${path}`, got.get(path), cost);
    }
  }
}

// Datasette's metadata describes each table and view.
const metadata = JSON.parse(readFileSync(`${work}/metadata.json`, 'utf8'));
const described = metadata.databases[runs.at(-1)].tables;
for (const { name } of sqlite(runs.at(-1), "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'")) {
  check(`metadata of ${name}`, /.{10}[^,:]$/.test(described[name]?.description ?? ''), true); // a complete sentence
  for (const column of sqlite(runs.at(-1), `SELECT name FROM pragma_table_info('${name}')`)) {
    check(`metadata of ${name}.${column.name}`, (described[name].columns[column.name] ?? '').length > 0, true);
  }
}
console.log(`${compared} values compared, ${failed} differ`);
process.exit(failed ? 1 : 0);
