#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that --trace records tracepoints if the user is permitted to, and otherwise says how to get the permission.
. "$(dirname "$0")/lib.sh"
need_perf

ask() { sqlite3 -batch -bail -noheader "$DB" "$1"; }

echo "== an unknown group"
code=0
"$MEMDB" record --trace=sched,what -o "$DB" -- true >"$T/stdout" 2>"$T/stderr" || code=$?
assert_eq "exit code" 2 "$code"
assert_match "it names the group" "what" "$(cat "$T/stderr")"

"$MEMDB" doctor >"$T/doctor" 2>&1 || true
assert_match "the doctor speaks of them" "tracepoints" "$(cat "$T/doctor")"

echo "== the groups"
"$MEMDB" record --trace=sched,migrate,faults -o "$DB" -- sh -c 'sleep 0.01; exit 3' >"$T/stdout" 2>"$T/stderr" && code=0 || code=$?
assert_eq "exit code" 3 "$code"
if ! grep -q 'tracepoints  can be recorded' "$T/doctor"; then
	assert_match "the warning" "no tracepoint" "$(cat "$T/stderr")"
	skip "tracepoints cannot be recorded here: $(grep -m1 tracepoints "$T/doctor")"
fi
assert_eq "without fields" 0 "$(ask "SELECT count(*) FROM tracepoints WHERE fields IS NULL OR NOT json_valid(fields)")"
assert_ge "switches" 1 "$(ask "SELECT count(*) FROM tracepoints WHERE name = 'sched:sched_switch'")"
assert_ge "faults" 10 "$(ask "SELECT count(*) FROM tracepoints WHERE name = 'exceptions:page_fault_user'")"
# A row of sched_switch belongs to the thread that leaves the CPU. While that thread starts or ends, its tid
# may be 0 there.
assert_ge "switches of the thread they are of" 1 "$(ask "
	SELECT count(*) FROM tracepoints t JOIN threads h ON h.id = t.thread_id
	WHERE t.name = 'sched:sched_switch' AND json_extract(fields, '$.prev_pid') = h.tid")"
assert_eq "switches of others" 0 "$(ask "
	SELECT count(*) FROM tracepoints t JOIN threads h ON h.id = t.thread_id
	WHERE t.name = 'sched:sched_switch' AND json_extract(fields, '$.prev_pid') NOT IN (h.tid, 0)")"
# perf's page-faults event also counts pages that the kernel touches for the program; the tracepoint has only
# faults in user mode, so only these are compared.
assert_eq "page faults in user mode without their tracepoint" 0 "$(ask "
	SELECT count(*) FROM page_faults f WHERE f.ip > 0 AND NOT EXISTS (
		SELECT 1 FROM tracepoints t WHERE t.name = 'exceptions:page_fault_user'
			AND t.thread_id = f.thread_id AND json_extract(t.fields, '$.address') = f.address)")"
