#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that samples are joined to blocks if the program runs in its own namespaces, as in a container. There it has
# other pids and another clock.
. "$(dirname "$0")/lib.sh"
need_perf
need_root "makes namespaces"

# inside OPTION...: records the program hot in new namespaces, and translates the pids and times that
# it printed to those outside.
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
	assert_eq "allocations at times outside of the run" 0 "$(sql "
		SELECT count(*) FROM allocations, runs WHERE time NOT BETWEEN runs.start_ns AND runs.end_ns")"
	assert_eq "threads that made blocks" 1 "$(sql "
		SELECT count(DISTINCT thread_id) FROM allocations WHERE process_id = (SELECT id FROM processes WHERE pid = $pid)")"
}

if unshare --pid --fork --mount-proc true 2>/dev/null; then
	echo "== pids"
	ahead=0
	inside --pid --fork --mount-proc
	if command -v cc >/dev/null; then
		echo "== tids"
		cat >"$T/threads.c" <<'SOURCE'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static void *work(void *n)
{
	char name[16];

	snprintf(name, sizeof(name), "block %ld", (long)n);
	pthread_setname_np(pthread_self(), name);
	free(malloc((size_t)n * 1000000));
	return NULL;
}
int main(void)
{
	pthread_t t[2];

	for (long n = 1; n < 7; n += 2) { /* later threads take over the places of earlier ones */
		pthread_create(&t[0], NULL, work, (void *)n);
		pthread_create(&t[1], NULL, work, (void *)(n + 1));
		pthread_join(t[0], NULL);
		pthread_join(t[1], NULL);
	}
	return 0;
}
SOURCE
		cc -D_GNU_SOURCE -fno-builtin -pthread -o "$T/threads" "$T/threads.c"
		record --sampler=timer "$(command -v unshare)" --pid --fork --mount-proc "$T/threads"
		assert_eq "threads that made the blocks" "block 1|1
block 2|2
block 3|3
block 4|4
block 5|5
block 6|6" "$(sqlite3 "$DB" "SELECT comm, size_bytes / 1000000 FROM allocations JOIN threads ON threads.id = thread_id
			WHERE size_bytes % 1000000 = 0 ORDER BY comm")"
		assert_eq "events of unknown threads" 0 "$(sqlite3 "$DB" "
			SELECT count(*) FROM losses WHERE what = 'events of unknown threads'")"
	fi
fi
if command -v cc >/dev/null; then
	echo "== a filter refuses the pid"
	cc -D_GNU_SOURCE -O1 -fno-builtin -w -pthread -o "$T/pidless" "$SRC/tests/hostile/pidless.c"
	record --sampler=timer "$T/pidless"
	assert_eq "threads that made blocks, and blocks of unknown threads" "6|0" "$(sqlite3 "$DB" "
		SELECT count(DISTINCT thread_id), count(*) - count(thread_id) FROM block_cells")"
	assert_eq "losses that name threads or namespaces" 0 "$(sqlite3 "$DB" "SELECT count(*) FROM losses WHERE detail LIKE '%namespace%'")"
fi
if unshare --time --fork --monotonic 5000 --boottime 9000 true 2>/dev/null; then
	echo "== time"
	ahead=5000000000000
	inside --time --fork --monotonic 5000 --boottime 9000
fi
