#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that Ctrl-C ends the recording, and that memdb imports what was recorded until then; and that signals which the
# program sends to its own process group do neither.
. "$(dirname "$0")/lib.sh"
need_perf

# setsid makes a session of its own, so that the kill below reaches each of its processes, as
# Ctrl-C at a terminal does.
setsid -w bash -c 'trap "" INT; (trap - INT; exec "$@") & echo $! >"$0"; wait $!' "$T/pid" \
	env --default-signal=INT "$MEMDB" record -q -F 1000 -o "$DB" -- "$PROGRAMS/ending" wait 0.5 \
	>"$T/stdout" 2>"$T/stderr" &
session=$!
has_worked() { grep -q '^array' "$T/stdout" || ! kill -0 $session; }
wait_until 60 has_worked 2>/dev/null || true
grep -q '^array' "$T/stdout" || fail "the program did not get to its work"
group=$(ps -o pgid= -p "$(cat "$T/pid")" | tr -d ' ')
kill -INT -- "-$group"
code=0
wait $session || code=$?
read_answers "$T/stdout"
assert_eq "exit code" 130 "$code"
[ -f "$DB" ] || fail "no database"
assert_sound
assert_addresses work_pass 200
assert_hits_joined
assert_all_hit

echo "== signals that the program sends to its process group mean nothing to memdb"
code=0
# shellcheck disable=SC2016 # for the bash that is recorded
timeout -s KILL 120 setsid -w "$MEMDB" record -q -o "$DB" -- bash -c '
	signals="HUP INT QUIT USR1 USR2 ALRM TERM STKFLT TSTP TTIN TTOU VTALRM PROF IO PWR RTMIN RTMAX"
	trap "" $signals
	for s in $signals TERM INT HUP; do kill -s $s 0; done
	sleep 1
	exit 7' 2>"$T/stderr" || code=$?
assert_eq "exit code" 7 "$code"
assert_sound
