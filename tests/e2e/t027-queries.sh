#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that every canned query runs on a real recording: with `memdb query` in each format, and with sqlite3 alone.
. "$(dirname "$0")/lib.sh"
need_perf

# cells FILE: prints the values in a CSV file in one form, because memdb and sqlite3 quote differently.
cells()
{
	sqlite3 -batch :memory: ".import --csv '$1' t" ".mode quote" "SELECT * FROM t"
}

record --sampler=timer hot 0.5 2
"$MEMDB" query >"$T/list"
count=0
for file in "$SRC"/queries/*.sql; do
	name=$(basename "$file" .sql)
	count=$((count + 1))
	grep -qw -- "$name" "$T/list" || fail "'memdb query' does not list $name"
	sqlite3 -bail -batch -csv -header "$DB" <"$file" >"$T/sqlite.csv" 2>"$T/stderr" ||
		fail "sqlite3 run.db < queries/$name.sql"
	"$MEMDB" query --format=csv "$name" "$DB" >"$T/memdb.csv" 2>"$T/stderr" ||
		fail "memdb query --format=csv $name"
	diff <(cells "$T/sqlite.csv") <(cells "$T/memdb.csv") >"$T/diff" || {
		head -n 10 "$T/diff" >&2
		fail "$name: memdb query and sqlite3 give different rows"
	}
	for format in table json; do
		"$MEMDB" query --format=$format "$name" "$DB" >"$T/out" 2>"$T/stderr" ||
			fail "memdb query --format=$format $name"
		[ -s "$T/out" ] || fail "memdb query --format=$format $name: no output"
	done
	[ "$(sqlite3 :memory: "SELECT json_valid(readfile('$T/out'))")" = 1 ] ||
		fail "$name: not JSON"
done
assert_ge "queries" 8 "$count"

code=0
"$MEMDB" query no-such-query "$DB" >"$T/stdout" 2>"$T/stderr" || code=$?
assert_ge "exit code of an unknown query" 1 "$code"
assert_match "its message" no-such-query "$(cat "$T/stderr")"
