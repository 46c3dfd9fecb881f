#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# cli.sh MEMDB SQLTOOL: what `memdb query` prints and how it exits.
set -u
command -v sqlite3 >/dev/null || { echo "skipped: there is no sqlite3 shell"; exit 77; }
memdb=$(realpath "$1") tool=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# expect CODE STREAM TEXT WORDS...: memdb query WORDS exits with CODE, and TEXT is in its output (1)
# or in its one line of errors (2).
expect() {
	local code=$1 stream=$2 text=$3 got
	shift 3
	"$memdb" query "$@" >out 2>err
	got=$?
	[ $got = "$code" ] || { echo "FAIL query $*: exit code $got, not $code"; failed=1; }
	if [ "$stream" = 2 ]; then
		[ ! -s out ] || { echo "FAIL query $*: something on stdout"; failed=1; }
		cp err out
	else
		[ ! -s err ] || { echo "FAIL query $*: something on stderr"; failed=1; }
	fi
	grep -qF -- "$text" out || { echo "FAIL query $*: no '$text' in:"; cat out; failed=1; }
}

"$tool" empty run.db && (cd "$here" && sqlite3 -batch -bail "$work/run.db" "PRAGMA synchronous=off" \
	".read data/insert.sql" ".read data/timer.sql" ".read ../../sql/derived/sample_cells.sql") || exit 1

expect 0 1 'function_latency'
expect 0 1 'parameters: name, default, meaning' --describe function_latency
expect 0 1 '  object (none) only this object: its id or name' -d allocation_latency
expect 0 1 '  (none): not set.' -d allocation_latency
expect 0 1 'memdb query call_stack [run.db] [object=...] [allocation=...] [end=...]' -d call_stack
expect 0 1 'worker  ' function_latency
expect 0 1 'worker  ' function_latency run.db top=1
expect 0 1 'worker  ' function_latency top=1 ./run.db
expect 0 1 'worker,app,8,8.0,8,8.0,80.0' --format csv function_latency
expect 0 1 '"function": "worker"' function_latency -f json
sqlite3 -batch :memory: "SELECT json_valid(CAST(readfile('out') AS TEXT)) || json_array_length(CAST(readfile('out') AS TEXT))" |
	grep -qx 14 || { echo "FAIL query -f json: not an array of 4 objects"; failed=1; }
expect 2 2 "there is no query 'function_latenc'; did you mean 'function_latency'?" function_latenc
expect 2 2 "there is no query 'qqqqqqqqqq'; \`memdb query\` lists them" qqqqqqqqqq
expect 2 2 "'run.db' is a file, no query: which one? As: memdb query objects 'run.db'" run.db
expect 2 2 "the query's name comes first: memdb query losses './run.db'" ./run.db losses
expect 2 2 "there is no query '.'" .
expect 0 1 '(no rows)' objects top=0
expect 2 2 "query 'coverage' has no parameters" coverage top=1
expect 2 2 "parameter 'top' needs a whole number, not 'all'" objects top=all
expect 2 2 "there is no format 'xml'" objects --format xml
expect 2 2 "one database at a time: 'b.db' is a second one" objects run.db b.db
expect 1 2 "cannot open 'none.db': No such file or directory" objects none.db
expect 1 2 "cannot open 'err': it is empty" objects err
echo 'no database, but long enough to be looked at as one: the header alone has a hundred bytes, so here are some more' >text
expect 1 2 "cannot open 'text': not an SQLite database" objects text
[ "$("$memdb" query losses none.db 2>&1 | wc -l)" = 1 ] || { echo "FAIL: more than one line"; failed=1; }
"$memdb" query coverage >/dev/full 2>err
[ $? = 1 ] && grep -q 'No space left' err || { echo "FAIL: a full disk is no failure"; failed=1; }
[ $failed = 0 ] && echo "all good"
exit $failed
