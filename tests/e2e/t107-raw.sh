#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that memdb checks the destination of a recording before it runs the program, and that it overwrites nothing.
. "$(dirname "$0")/lib.sh"
need_perf

# refused CODE SENTENCE OPTION...: checks that memdb refuses these options with exit code CODE and a message
# that matches SENTENCE, and that the program did not run.
refused()
{
	local want=$1 sentence=$2 code=0

	shift 2
	"$MEMDB" record "$@" -- touch "$T/ran" 2>"$T/stderr" || code=$?
	assert_eq "exit code" "$want" "$code"
	assert_match "the message" "$sentence" "$(cat "$T/stderr")"
	[ ! -e "$T/ran" ] || fail "the program ran"
}

mkdir "$T/home"
echo letter >"$T/home/letter"
echo 'int main;' >"$T/main.c"
refused 2 "exists already" --raw "$T/home"
refused 2 "exists already" --raw "$T/home" --force
refused 2 "No such file" --raw "$T/none/c"
refused 2 "No such file" -o "$T/none/run.db"
refused 2 "not a memdb database \(--force" -o "$T/main.c"
cp /bin/touch "$T/touch"
for force in "" --force; do
	"$MEMDB" record $force -o "$T/touch" -- "$T/touch" "$T/ran" 2>"$T/stderr" && fail "the program is replaced"
	[ ! -e "$T/ran" ] || fail "the program ran"
done
cmp /bin/touch "$T/touch"
refused 2 "Is a directory" -o "$T/home"
refused 2 "exclude each other" -F 1 -c 1
refused 2 "no -o" --raw "$T/c" -o "$T/x.db"
refused 2 "is no number" -F abc
refused 2 "100000 times" --sampler=timer -F 100001
assert_eq "the letter" letter "$(cat "$T/home/letter")"
assert_eq "the source" 'int main;' "$(cat "$T/main.c")"

"$MEMDB" record -q --raw "$T/c" -- true
first=$(sed -n 's/.*"start_ticks":\([0-9]*\).*/\1/p' "$T/c/capture.json")
assert_ge "the first recording" 1 "$first"
refused 2 "force replaces it" --raw "$T/c"
"$MEMDB" record -q --force --raw "$T/c" -- true
second=$(sed -n 's/.*"start_ticks":\([0-9]*\).*/\1/p' "$T/c/capture.json")
assert_ge "the second recording" $((first + 1)) "$second"
assert_eq "rights" 700 "$(stat -c %a "$T/c")"
assert_eq "files that others may read" "" "$(find "$T/c" -type f -perm /077)"
