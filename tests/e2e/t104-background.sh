#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that memdb reports processes that are still running when the program ends, and that --wait waits for them. A
# later recording in a folder of the same name neither counts such a process, nor gets its logs.
. "$(dirname "$0")/lib.sh"
need_perf

# The program starts a background process and ends. The background process waits until then, and until the file $1
# exists, and then executes /bin/true. Its pid is in $1.pid.
cat >"$T/daemon.sh" <<'SCRIPT'
(
	echo $BASHPID >"$1.pid"
	while [ "$(ps -o ppid= -p $BASHPID)" -eq $$ ] || [ ! -e "$1" ]; do sleep 0.1; done
	exec /bin/true
) &
while [ ! -s "$1.pid" ]; do sleep 0.1; done
echo parent
exit 3
SCRIPT

code=0
timeout 100 "$MEMDB" record --raw "$T/left" -- bash "$T/daemon.sh" "$T/go" >"$T/stdout" 2>"$T/stderr" || code=$?
assert_eq "exit code" 3 "$code"
assert_match "the message" "still run.*--wait" "$(cat "$T/stderr")"
assert_match "the capture" '"left_running":[1-9]' "$(cat "$T/left/capture.json")"

daemon=$(cat "$T/go.pid")
"$MEMDB" record --force --raw "$T/left" -- true 2>"$T/stderr"
assert_eq "of another recording in the same folder, processes left" 0 "$(grep -c 'still run' "$T/stderr" || true)"
kill -0 "$daemon" || fail "the process has ended too early"
# shellcheck disable=SC2016 # the inner shell expands the variables
"$MEMDB" record --force --raw "$T/left" -- bash -c ': >"$0"; while kill -0 "$1" 2>&-; do sleep 0.1; done' "$T/go" "$daemon"
"$MEMDB" import -q -o "$DB" "$T/left"
assert_eq "in another recording, the process" 0 "$(sqlite3 "$DB" "SELECT count(*) FROM processes WHERE pid = $daemon")"
rm "$DB"

code=0
"$MEMDB" record --wait --raw "$T/waited" -- bash "$T/daemon.sh" "$T/go" >"$T/stdout" 2>"$T/stderr" || code=$?
assert_eq "exit code with --wait" 3 "$code"
assert_match "the capture" '"left_running":0' "$(cat "$T/waited/capture.json")"
"$MEMDB" import -q -o "$DB" "$T/waited"
assert_eq "the program that it executed is tracked" 1 \
	"$(sqlite3 "$DB" "SELECT tracked FROM comms WHERE comm = 'true' AND exec")"
