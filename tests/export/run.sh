#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh MEMDB SQLTOOL: reads the files of `memdb export` with other programs: DuckDB and hyparquet (Parquet),
# pprof-format (pprof), JSON (Datasette's metadata), the Firefox Profiler, and speedscope in Chromium. export.mjs and
# profilers.mjs compare the contents with SQLite. DB Browser for SQLite opens the database itself.
set -eu
memdb=$1
sqltool=$2
here=$(cd "$(dirname "$0")" && pwd)
skip() { echo "skip: $*"; exit 77; }
command -v sqlite3 >/dev/null || skip "there is no sqlite3 shell"
packages=$("$here/../../tools/node-packages" "$here" 2>&1) || skip "$packages"
work=$(mktemp -d "${TMPDIR:-/tmp}/memdb-export.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
export HOME=$work

# Exports two runs to one data set. The second has a table with several row groups and values of all types. Some
# names have characters outside ASCII.
"$here/../browser/make-db" "$sqltool" "$here/../browser/nodes.sql" "$work/run.1.db"
cp "$work/run.1.db" "$work/run.2.db"
# The second run gets valid names only: the export escapes invalid UTF-8, so the lengths of such names differ from
# those in SQLite. The first run keeps its invalid names.
sqlite3 -batch "$work/run.2.db" "UPDATE symbols SET name = 'valid' WHERE name LIKE 'bad%';
	UPDATE objects SET name = 'valid' WHERE name LIKE 'bad%'; UPDATE locations SET function = 'valid' WHERE function LIKE 'bad%'; CREATE TABLE many (id INTEGER PRIMARY KEY, number INTEGER, part REAL, text TEXT, none REAL) STRICT;
	WITH RECURSIVE c (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM c WHERE k < 150000)
	INSERT INTO many SELECT k, iif(k % 3 = 0, NULL, -k * 1000000007), iif(k % 5 = 0, NULL, k / 7.0), iif(k % 70000 < 60000, 'text ' || k, NULL), NULL FROM c"
sqlite3 -batch "$work/run.1.db" "UPDATE objects SET name = 'naïve \"quoted\"' || char(10) || '日本' WHERE id = 1"
"$sqltool" empty "$work/empty.db" # its columns must have the types that they have where there are values
"$memdb" export --to parquet -o "$work/runs" "$work/empty.db"
for run in 1 2; do
	"$memdb" export --to parquet -o "$work/runs" "$work/run.$run.db"
	"$memdb" export --to collapsed "$work/run.$run.db" >"$work/run.$run.collapsed"
	"$memdb" export --to pprof -o "$work/run.$run.pb.gz" "$work/run.$run.db"
done
"$memdb" export --datasette-metadata "$work/run.1.db" >"$work/metadata.json"
if "$memdb" export --to parquet -o "$work/runs" "$work/run.1.db" 2>"$work/said"; then
	echo "FAIL: a run is replaced without --force"
	exit 1
fi
grep -q 'is there already' "$work/said"
"$memdb" export --to parquet --force -o "$work/runs" "$work/run.1.db"
[ -z "$(find "$work/runs" -type f ! -name part.parquet)" ] || { echo "FAIL: files are left over"; exit 1; }
node "$here/export.mjs" "$packages" "$work" run.2 run.1

for format in firefox speedscope; do
	"$memdb" export --to $format -o "$work/run.1.$format" "$work/run.1.db"
done
browser_packages=$("$here/../../tools/node-packages" "$here/../browser" 2>&1) && BROWSER=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || BROWSER=
export BROWSER
[ "$BROWSER" ] || echo "without speedscope: it needs Chromium"
node "$here/profilers.mjs" "$packages" "$browser_packages" "$work" run.1

# The consumers of the other two formats, where they are installed: their sums are those of the files.
if command -v go >/dev/null; then
	go tool pprof -top -unit=ns "$work/run.2.pb.gz" >"$work/top" 2>"$work/said" || { echo "FAIL: pprof: $(cat "$work/said")"; exit 1; }
	total=$(awk '{ sum += $NF } END { printf "%.0f", sum }' "$work/run.2.collapsed")
	grep -q "of ${total}ns total" "$work/top" || { echo "FAIL: pprof does not show a sum of $total ns: $(head -n 4 "$work/top")"; exit 1; }
fi

# DB Browser for SQLite opens the database, and its own SQLite computes every view.
if ! command -v sqlitebrowser >/dev/null; then
	echo "without DB Browser for SQLite"
	exit
fi
cp "$work/run.1.db" "$work/browsed.db"
sqlite3 -batch "$work/browsed.db" "SELECT 'CREATE TABLE browsed_' || name || ' AS SELECT * FROM ' || name || ';' FROM sqlite_schema WHERE type = 'view'" >"$work/browse.sql"
views=$(sed 's/.* FROM \(.*\);/\1/' "$work/browse.sql")
echo "CREATE TABLE browsed_end (none);" >>"$work/browse.sql"
QT_QPA_PLATFORM=offscreen sqlitebrowser -s "$work/browse.sql" "$work/browsed.db" >"$work/said" 2>&1 & # does not end by itself
browser=$!
# To open the database now would lock it, so this waits for the name of the last table in the file.
until { grep -aq browsed_end "$work/browsed.db" && [ ! -e "$work/browsed.db-journal" ]; } || grep -aq 'rror in statement' "$work/said" || ! kill -0 $browser 2>/dev/null; do
	sleep 0.2
done
kill $browser 2>/dev/null || true
wait $browser 2>/dev/null || true
for view in $views; do
	[ "$(sqlite3 -batch "$work/browsed.db" "SELECT count(*) FROM browsed_$view" 2>&1)" = "$(sqlite3 -batch "$work/run.1.db" "SELECT count(*) FROM $view")" ] || { echo "FAIL: $view is different in DB Browser for SQLite: $(grep -a 'rror in statement' "$work/said" | tail -n 3)"; exit 1; }
done
