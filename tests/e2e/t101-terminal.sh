#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves what happens at a real terminal: the program can read from it, Ctrl-C reaches the program, and a second
# Ctrl-C ends a program that ignores the first.
. "$(dirname "$0")/lib.sh"
need_perf
command -v script >/dev/null || skip "script(1) is not installed"

# keys COMMAND: records COMMAND at a new terminal, where the script types keys. Prints its exit code. The terminal's
# shell uses exec: if it waited for memdb, Ctrl-C would kill the shell.
keys()
{
	local code=0

	timeout 300 script -qec "exec '$MEMDB' record --raw '$T/c' $1" /dev/null >"$T/stdout" 2>"$T/stderr" || code=$?
	tr -d '\r' <"$T/stdout" >"$T/screen"
	echo "$code"
}

# clear_screen: empties the stored output, so that type_at finds only words that are printed later.
clear_screen()
{
	rm -rf "$T/c"
	: >"$T/stdout"
}

# type_at WORD KEY: waits until the screen shows the word, then types the key.
type_at()
{
	wait_until 60 grep -q "$1" "$T/stdout" || echo "FAIL: never '$1' on the screen: $(cat "$T/stdout")" >&2
	sleep 0.2
	printf '%b' "$2"
}

cat >"$T/tidy.sh" <<'SCRIPT'
trap 'sleep 0.3; echo tidied; exit 5' INT
echo up
while :; do sleep 0.1; done
SCRIPT
cat >"$T/deaf.sh" <<'SCRIPT'
trap '' INT
echo up
while :; do sleep 0.1; done
SCRIPT
cat >"$T/stone.sh" <<'SCRIPT'
trap '' INT TERM
echo up
while :; do sleep 0.1; done
SCRIPT
cat >"$T/asks.sh" <<'SCRIPT'
echo up
read -r line
echo "got $line"
test -t 0 && test -t 1 && test -t 2
SCRIPT

clear_screen
echo "== a program that talks with its terminal"
assert_eq "exit code" 0 "$(type_at up 'hello\n' | keys "sh '$T/asks.sh'")"
assert_match "what it read" "got hello" "$(cat "$T/screen")"

clear_screen
echo "== a program that tidies up at Ctrl-C is recorded until it has"
assert_eq "exit code" 5 "$(type_at up '\003' | keys "sh '$T/tidy.sh'")"
assert_match "the screen" "tidied" "$(cat "$T/screen")"
assert_match "the capture" '"exit_code":5' "$(cat "$T/c/capture.json")"
assert_eq "warnings" "" "$(grep -c 'memdb record: perf' "$T/screen" | grep -v '^0$' || true)"

clear_screen
echo "== a program that does not hear Ctrl-C ends at the second"
assert_eq "exit code" 143 \
	"$( (type_at up '\003' && type_at "goes on" '\003') | keys "sh '$T/deaf.sh'")"
assert_match "the screen" "once more .*ends it" "$(cat "$T/screen")"
[ -s "$T/c/perf.data" ] || fail "no recording"

clear_screen
echo "== one that wants neither at the third"
assert_eq "exit code" 137 "$( (type_at up '\003' && type_at "goes on" '\003' &&
	type_at "ending the recording" '\003') | keys "sh '$T/stone.sh'")"
[ -s "$T/c/perf.data" ] || fail "no recording"

# In a terminal emulator, so that what the user sees can be compared. The program ends when the test has seen the line.
terminal=0
screen()
{
	tmux -L "memdb-$$-$terminal" -f /dev/null "$@"
}

# seen WORDS: do these words stand on the screen?
seen()
{
	screen capture-pane -p >"$T/screen" && grep -qE "$1" "$T/screen"
}

if command -v tmux >/dev/null; then
	finish()
	{
		screen kill-server 2>/dev/null || true
	}
	cat >"$T/chatty.sh" <<SCRIPT
'$PROGRAMS/count_blocks' >'$T/answers'
i=0
while [ ! -e '$T/end' ]; do echo "line \$((i = i + 1))"; sleep 0.05; done
sleep 0.2
echo "lines: \$i"
SCRIPT
	quiet()
	{
		rm -rf "$T/quiet"
		screen new-session -d -x 90 -y 16 "$1 '$MEMDB' record --raw '$T/quiet' $2 sleep 2.2; echo over; sleep 600"
		screen pipe-pane "cat >'$T/quiet.out'"
		wait_until 60 seen '^over' || fail "the recording does not end: $(cat "$T/screen")"
		assert_eq "lines of progress with '$1 $2'" 0 "$(grep -c 'recording: ' "$T/quiet.out" || true)"
		screen kill-server
		terminal=$((terminal + 1)) # the next terminal does not wait for the end of this server
	}
	echo "== no line where nobody wants it, or where it cannot be shown"
	quiet "" -q
	quiet TERM=dumb ""
	quiet "stty rows 0;" ""
	echo "== the line is in the last row, and the program's output above it"
	screen new-session -d -x 90 -y 16 "'$MEMDB' record --raw '$T/chatty' sh '$T/chatty.sh'; echo over; sleep 600"
	wait_until 60 seen 'recording: .* [0-9]{4,} allocations' || fail "no allocations in the line: $(cat "$T/screen")"
	wait_until 60 seen 'line 40$' || fail "no line 40: $(cat "$T/screen")"
	assert_match "the last row" '^recording: [0-9]+ s, .*MiB$' "$(tail -n 1 "$T/screen")"
	assert_eq "rows that are neither" 0 "$(sed '$d' "$T/screen" | grep -cvE '^(line [0-9]+)?$' || true)"
	blocks=$(sed -n 's/^value blocks //p' "$T/answers")
	shown=$(sed -n 's/.* \([0-9]*\) allocations.*/\1/p' "$T/screen")
	assert_ge "allocations of the program, and a few of its C library" "$blocks" "$shown"
	assert_le "allocations" $((blocks + 10000)) "$shown"
	touch "$T/end"
	wait_until 60 seen '^over' || fail "the recording does not end: $(cat "$T/screen")"
	assert_eq "rows with the line afterwards" 0 "$(grep -c 'recording:' "$T/screen" || true)"
	screen capture-pane -p -S - >"$T/screen"
	assert_eq "lines of the program" "$(sed -n 's/^lines: //p' "$T/screen")" "$(grep -cE '^line [0-9]+$' "$T/screen")"
else
	echo "tmux is not installed: the place of the line is not tested"
fi
