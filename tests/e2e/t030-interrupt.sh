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

echo "== Ctrl-Z stops memdb only if it stops the program"
mkfifo "$T/fifo"
# shellcheck disable=SC2016 # for the bash that is recorded
timeout -s KILL 120 setsid -w "$MEMDB" record -q -o "$DB" -- bash -c '
	trap "" TSTP
	ps -o pgid= -p $$ >"$0/group.new"
	mv "$0/group.new" "$0/group"
	read -r word <"$0/fifo"
	exit "$word"' "$T" 2>"$T/stderr" &
session=$!
wait_until 60 test -f "$T/group" || fail "the program did not start"
memdb=$(tr -d ' ' <"$T/group") # the leader of its group
state() { ps -o state= -p "$1" | cut -c 1; }
# SIGTSTP is bit 19 of the signals that wait for memdb.
has_noticed() { [ $(((0x$(sed -n 's/^ShdPnd:\t//p' "/proc/$memdb/status") >> 19) & 1)) = 0 ]; }
kill -TSTP -- "-$memdb"
wait_until 60 has_noticed || fail "memdb does not read its signals"
assert_eq "state of memdb" S "$(sleep 0.2; state "$memdb")"
echo 5 >"$T/fifo"
code=0
wait $session || code=$?
assert_eq "exit code of a program that ignores Ctrl-Z" 5 "$code"

# shellcheck disable=SC2016
timeout -s KILL 120 setsid -w "$MEMDB" record -q -o "$DB" -- bash -c '
	echo $$ >"$0/pid.new"
	mv "$0/pid.new" "$0/stopped"
	kill -STOP $$
	exit 6' "$T" 2>"$T/stderr" &
session=$!
wait_until 60 test -f "$T/stopped" || fail "the program did not start"
program=$(cat "$T/stopped")
# memdb, perf and exec-target are the program's ancestors
parent() { ps -o ppid= -p "$1" | tr -d ' '; }
memdb=$(parent "$(parent "$(parent "$program")")")
are_stopped() { [ "$(state "$program")$(state "$memdb")" = TT ]; }
wait_until 60 are_stopped || fail "memdb is not stopped with the program: $(ps -o pid,ppid,state,args)"
kill -CONT "$program"
code=0
wait $session || code=$?
assert_eq "exit code of a program that was stopped" 6 "$code"
