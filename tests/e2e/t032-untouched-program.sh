#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that a recorded program has the same input, output, arguments, environment, working directory, descriptors
# and exit code as without memdb.
. "$(dirname "$0")/lib.sh"
need_perf

cat >"$T/probe.sh" <<'SCRIPT'
#!/bin/sh
printf '%s\n' "$#" "$@"
pwd
cat
echo "to stderr" >&2
env | grep -vE '^(LD_PRELOAD|MEMDB[A-Z_]*|_|SHLVL)=' | sort
ls /proc/self/fd | wc -l
ulimit -a
umask
exit 42
SCRIPT
chmod +x "$T/probe.sh"

cd "$T" || exit 1
code=0
printf 'line one\nline two' | ./probe.sh 'a b' '' '*' "it's" -o x -- >native.out 2>native.err || code=$?
assert_eq "exit code, alone" 42 "$code"
code=0
printf 'line one\nline two' | "$MEMDB" record -q -o "$DB" -- ./probe.sh 'a b' '' '*' "it's" -o x -- \
	>recorded.out 2>recorded.err || code=$?
assert_eq "exit code, recorded" 42 "$code"
diff native.out recorded.out || fail "its output differs"
diff native.err recorded.err || fail "its messages differ"
assert_eq "the command in the database" "./probe.sh a b  * it's -o x --" "$(sqlite3 "$DB" "SELECT command FROM runs")"
