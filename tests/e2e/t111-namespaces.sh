#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that samples are joined to blocks if the program runs in its own namespaces, as in a container. There it has
# other pids and another clock.
. "$(dirname "$0")/lib.sh"
need_perf
need_root "makes namespaces"

# inside OPTION...: records hot in new namespaces. Translates the ids that it prints to those outside.
inside()
{
	record --sampler=timer "$(command -v unshare)" "$@" "$PROGRAMS/hot" 0.4 2
	pid=$(sqlite3 "$DB" "SELECT pid FROM processes WHERE exe = '$PROGRAMS/hot'")
	assert_eq "processes of that program" 1 "$(wc -w <<<"$pid")"
	sqlite3 "$T/answers.db" "UPDATE arrays SET pid = $pid, start_ns = start_ns - $ahead,
		end_ns = CASE WHEN end_ns < 9000000000000000000 THEN end_ns - $ahead ELSE end_ns END"
	assert_sound
	assert_all_hit
	assert_hits_joined
	assert_eq "array with the largest cost" gather "$(sql "
		SELECT object FROM object_costs ORDER BY cost DESC LIMIT 1")"
	assert_eq "allocations at times outside of the run" 0 "$(sql "
		SELECT count(*) FROM allocations, runs WHERE time NOT BETWEEN runs.start_ns AND runs.end_ns")"
	assert_eq "threads that made blocks" 1 "$(sql "
		SELECT count(DISTINCT thread_id) FROM allocations WHERE process_id = (SELECT id FROM processes WHERE pid = $pid)")"
}

if unshare --pid --fork --mount-proc true 2>/dev/null; then
	echo "== pids"
	ahead=0
	inside --pid --fork --mount-proc
	record --sampler=timer "$(command -v unshare)" --pid --fork --mount-proc "$PROGRAMS/private_halves" 0.3
	assert_sound
	threads="threads WHERE process_id = (SELECT id FROM processes WHERE exe = '$PROGRAMS/private_halves')"
	assert_eq "threads" "left
private_halves
right" "$(sqlite3 "$DB" "SELECT comm FROM $threads ORDER BY comm")"
	assert_eq "threads of unknown numbers are counted" 1 "$(sqlite3 "$DB" "
		SELECT count(*) FROM losses WHERE what = 'events of unknown threads' AND count >= 2")"
fi
if unshare --time --fork --monotonic 5000 --boottime 9000 true 2>/dev/null; then
	echo "== time"
	ahead=5000000000000
	inside --time --fork --monotonic 5000 --boottime 9000
fi
