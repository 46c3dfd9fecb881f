#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that names with invalid UTF-8 or terminal escapes become valid text in the database, and that messages
# escape them.
. "$(dirname "$0")/lib.sh"
need_perf

odd=$'od\xffd \e[31m'
shown='od\\xffd \\x1b\[31m|od\\377d \\033\[31m' # the second form is the shell's, in octal

# said WHAT: checks that $T/stderr contains the odd name in escaped form, and no terminal escape. Tables may
# shorten long names by "…".
said()
{
	assert_eq "bytes of $1 that are not printable" "" "$(sed 's/…//g' "$T/stderr" | tr -d '\n -~')"
	assert_match "$1" "$shown" "$(cat "$T/stderr")"
}

# misused WHAT WORD...: checks that memdb refuses these words with an escaped message.
misused()
{
	local what=$1

	shift
	"$MEMDB" "$@" 2>"$T/stderr" >"$T/stdout" </dev/null && fail "$what is taken"
	said "$what"
}

mkdir "$T/$odd"
cd "$T/$odd" || exit
echo text >"$odd"
misused "a command" "$odd"
misused "an option" record "--no $odd" -- true
"$MEMDB" import $'--a\nTrap: b' $'--c\n' 2>"$T/stderr" >"$T/stdout" </dev/null && fail "an option of two lines is taken"
assert_eq "lines of the message about an option of two lines" 2 "$(wc -l <"$T/stderr")"
assert_match "an option of two lines" "'--a\\\\nTrap: b'" "$(cat "$T/stderr")"
misused "a sampler" record --sampler="$odd" -- true
misused "a number" record -F "$odd" -- true
misused "a program" record -- "./no $odd"
misused "an output of record" record -o "$odd" -- true
misused "a recording" import "no $odd"
misused "a second recording" import a "$odd"
misused "an output of import" import -o "$odd" "$odd"
misused "a query" query "$odd"
misused "a database" query coverage "no $odd.db"
misused "a second database" report a "$odd"

echo "== a recording"
cp "$PROGRAMS/ending" "app$odd"
"$MEMDB" record -F 1000 --keep -o "$odd.db" -- "./app$odd" exit 0.1 >"$T/stdout" 2>"$T/stderr" || [ $? = 7 ]
said "where the capture is"
sqlite3 "$odd.db" .dump >"$T/dump"
grep -a -c 'app' "$T/dump" >"$T/count"
iconv -f UTF-8 -t UTF-8 "$T/dump" >"$T/same" || fail "text that is no UTF-8"
assert_ge "mentions of the program" 3 "$(grep -c 'appod\\xffd' "$T/same")"
assert_eq "its thread" 1 "$(sqlite3 "$odd.db" "SELECT count(*) FROM comms WHERE comm LIKE 'appod\xffd%'")"
"$MEMDB" report "$odd.db" >"$T/stdout" 2>"$T/stderr"
assert_eq "bytes of the report that are not printable" "" "$(sed 's/…//g' "$T/stdout" | tr -d '\n -~')"

echo "== the command that is proposed works as it stands"
mkdir "$T/it's $odd"
cd "$T/it's $odd" || exit
code=0
"$MEMDB" record -o run.db -- sh -c 'echo notes >run.db' >"$T/stdout" 2>"$T/stderr" || code=$?
assert_eq "exit code" 125 "$code"
said "the proposal"
assert_eq "what the program wrote" notes "$(cat run.db)"
rm run.db
again=$(sed -n 's/^.*what was captured is kept: memdb/"$MEMDB"/p' "$T/stderr")
eval "$again -q"
[ -s run.db ] || fail "no database of $again"

echo "== getopt repeats what it does not know"
code=0
"$MEMDB" report "--$odd=$odd" >"$T/stdout" 2>"$T/stderr" || code=$?
assert_eq "exit code of an unknown option" 2 "$code"
said "the complaint"
