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
echo "== a line a second says how far the recording is, but where nobody wants to know"
assert_eq "exit code" 0 "$(keys "sleep 1.2" </dev/null)"
assert_match "the line" 'recording: 1 s, [0-9]+ samples written( yet)?, logs of allocations: [0-9.]+ MiB, in all: [0-9.]+ MiB' "$(cat "$T/screen")"
clear_screen
assert_eq "exit code" 0 "$(keys "-q sleep 1.2" </dev/null)"
assert_eq "with -q" 0 "$(grep -c 'recording: ' "$T/screen" || true)"

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
