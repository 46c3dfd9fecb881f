#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that the affinity and the name of each thread are recorded, no matter who sets them: its creator, another
# thread, the thread itself or another process.
. "$(dirname "$0")/lib.sh"
need_perf
[ "$(nproc)" -ge 2 ] || skip "one CPU: all affinities are the same"
[[ $(taskset -pc $$) == *": 0"[-,]* ]] || skip "CPUs 0 and 1 are not allowed here"
record pinned

tid_of() { awk -v n="$1" '$1 == "thread" && $2 == n { print $3 }' "$T/stdout"; }
# cpus TID: prints the lists of CPUs that the tracker reported for this thread, in order of time.
cpus() { sql "SELECT group_concat(cpus, ' ') FROM (SELECT a.cpus FROM thread_affinities a JOIN threads t ON t.id = a.thread_id
	WHERE t.tid = $1 AND a.source <> 'follower' ORDER BY a.time)"; }
# names TID: prints the names of this thread, in order of time
names() { sql "SELECT group_concat(comm, ' ') FROM (SELECT c.comm FROM comms c JOIN threads t ON t.id = c.thread_id
	WHERE t.tid = $1 ORDER BY c.time, c.id)"; }

assert_eq "CPUs by the attribute" 1 "$(cpus "$(tid_of attribute)")"
assert_match "CPUs by another thread" '^1( 1)?$' "$(cpus "$(tid_of other)")"
assert_eq "CPUs of a thread like the first" "" "$(cpus "$(tid_of free)")"
assert_match "CPUs of the first thread" '^0[-,][-,0-9]* 0$' "$(cpus "$(tid_of main)")"
child=$(awk '$1 == "child" { print $2 }' "$T/stdout")
assert_match "CPUs of a child by its parent" '(^| )1( |$)' "$(cpus "$child")"
assert_eq "threads of the run" 5 "$(sql "SELECT count(*) FROM threads WHERE process_id IN (SELECT id FROM processes WHERE tracked)")"
for name in attribute other free main; do
	assert_match "names of '$name'" "(^| )$name\$" "$(names "$(tid_of $name)")"
done
assert_eq "threads whose end is not known" 0 "$(sql "SELECT count(*) FROM threads WHERE end_ns IS NULL AND process_id IN (SELECT id FROM processes WHERE tracked)")"
