#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that a failed recording prints one message and returns the documented exit code.
. "$(dirname "$0")/lib.sh"

# expect CODE SENTENCE COMMAND...: checks that COMMAND exits with CODE and prints one line on stderr that
# matches SENTENCE.
expect()
{
	local want=$1 sentence=$2 code=0

	shift 2
	"$@" >"$T/stdout" 2>"$T/stderr" </dev/null || code=$?
	assert_eq "exit code of '${*:2}'" "$want" "$code"
	assert_match "its message" "$sentence" "$(cat "$T/stderr")"
	assert_le "lines of it" 2 "$(wc -l <"$T/stderr")"
	assert_eq "crash words in it" "" "$(grep -iE 'assert|segmentation|sanitizer' "$T/stderr" || true)"
}

echo "not a program" >"$T/plain"
mkdir "$T/folder"
expect 127 "no-such-program" "$MEMDB" record -o "$DB" -- ./no-such-program
expect 127 "no-such-program" "$MEMDB" record -o "$DB" -- no-such-program-in-path
expect 126 "plain" "$MEMDB" record -o "$DB" -- "$T/plain"
expect 126 "folder" "$MEMDB" record -o "$DB" -- "$T/folder"
assert_eq "database of a failed run" "" "$(ls "$DB" 2>/dev/null || true)"

expect 2 "" "$MEMDB" record --no-such-option -- true
expect 2 "" "$MEMDB" record --sampler=none-such -- true
expect 2 "" "$MEMDB" no-such-command
expect 2 "no-such-folder" "$MEMDB" record -o "$T/no-such-folder/run.db" -- true
expect 1 "no-such" "$MEMDB" import "$T/no-such"
expect 1 "plain" "$MEMDB" import -o "$DB" "$T/plain"
expect 1 "no-such.db" "$MEMDB" query coverage "$T/no-such.db"
expect 1 "plain" "$MEMDB" query coverage "$T/plain"

# If perf is not in PATH, memdb cannot record and says why.
mkdir "$T/bin"
for tool in sh true env; do
	ln -s "$(type -P $tool)" "$T/bin/$tool"
done
expect 125 "perf" env PATH="$T/bin" "$MEMDB" record -o "$DB" -- true
