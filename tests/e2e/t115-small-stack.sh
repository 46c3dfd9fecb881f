#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that record and import work with small limits of the stack, and that the database is the same as without a
# limit.
. "$(dirname "$0")/lib.sh"
need_perf

# limited KIB COMMAND...: runs the command with this hard limit of the stack. Arguments and environment are on the stack,
# too, so they are kept small.
limited()
{
	(
		ulimit -c 0
		ulimit -s "$1"
		shift
		exec env -i PATH="$PATH" HOME="$HOME" "$@"
	)
}

# content DATABASE: prints the rows that must not depend on the limit.
content()
{
	for rows in samples page_faults objects locations call_paths types members source_lines losses; do
		echo "== $rows"
		sqlite3 "$1" "SELECT * FROM $rows ORDER BY 1, 2, 3"
	done
}

"$MEMDB" record -q --raw "$T/c" -- "$PROGRAMS/cxx" >/dev/null
"$MEMDB" import -q -o "$T/free.db" "$T/c"
limited 64 "$MEMDB" import -q -o "$T/limited.db" "$T/c" || fail "the import ended with code $?"
assert_eq "the database" "$(content "$T/free.db" | md5sum)" "$(content "$T/limited.db" | md5sum)"
for command in "report" "diff $T/free.db" "export --to pprof"; do
	# shellcheck disable=SC2086 # a list of words
	limited 64 "$MEMDB" $command "$T/limited.db" >"$T/stdout" 2>"$T/stderr" || fail "$command ended with code $?"
done

# perf needs more than 48 KiB; if it ends without a word, memdb says why.
code=0
limited 48 "$MEMDB" record -o "$DB" -- "$PROGRAMS/cxx" >/dev/null 2>"$T/stderr" || code=$?
if [ $code != 0 ]; then
	assert_eq "exit code below a limit of 48 KiB" 125 "$code"
	assert_match "the message" "perf could not record: it gave no reason; the limit of the stack is only 48 KiB \(ulimit -s\), raise it" "$(cat "$T/stderr")"
fi
limited 100 "$MEMDB" record -o "$DB" -- "$PROGRAMS/cxx" >/dev/null 2>"$T/stderr" || fail "the recording ended with code $?"
assert_eq "damage" 0 "$(sqlite3 "$DB" "SELECT damaged FROM runs")"
assert_eq "losses of the symbols" "" "$(sqlite3 "$DB" "SELECT what FROM losses WHERE source = 'symbols'")"
