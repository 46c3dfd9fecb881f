#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Processes that outlive the program: it is said, and --wait waits for them.
. "$(dirname "$0")/lib.sh"
need_perf

cat >"$T/daemon.sh" <<'SCRIPT'
(sleep 1; exec /bin/true) &
echo parent
exit 3
SCRIPT

start=$SECONDS
code=0
"$MEMDB" record --raw "$T/c" -- bash "$T/daemon.sh" >"$T/stdout" 2>"$T/stderr" || code=$?
assert_eq "exit code" 3 "$code"
assert_le "seconds" 1 $((SECONDS - start))
assert_match "the message" "still run.*--wait" "$(cat "$T/stderr")"
assert_match "the capture" '"left_running":[1-9]' "$(cat "$T/c/capture.json")"

rm -rf "$T/c"
code=0
"$MEMDB" record --wait --raw "$T/c" -- bash "$T/daemon.sh" >"$T/stdout" 2>"$T/stderr" || code=$?
assert_eq "exit code with --wait" 3 "$code"
assert_match "the capture" '"left_running":0' "$(cat "$T/c/capture.json")"
# The background process has executed another program: its log is there.
assert_match "the logs" '[0-9]+-[0-9]+-1\.log' "$(ls "$T/c/track")"
