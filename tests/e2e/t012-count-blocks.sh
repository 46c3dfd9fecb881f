#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that every block of every allocation function is recorded, even if it was freed.
. "$(dirname "$0")/lib.sh"
need_perf

record --all-blocks --sampler=timer count_blocks
assert_sound

blocks=$(value blocks) bytes=$(value bytes)
assert_eq "blocks" "$blocks" "$(sql "SELECT count(*) FROM allocations WHERE size_bytes = $bytes")"
assert_eq "freed" "$(value freed)" "$(sql "
	SELECT count(*) FROM allocations WHERE size_bytes = $bytes AND end_reason = 'freed'")"
assert_eq "freed by the other thread" "$(value freed)" "$(sql "
	SELECT count(*) FROM allocations WHERE size_bytes = $bytes AND end_reason = 'freed'
		AND end_thread_id <> thread_id")"
assert_eq "by function" "calloc|$((blocks / 5))
malloc|$((blocks / 5))
memalign|$((blocks / 5))
posix_memalign|$((blocks / 5))
realloc|$((blocks / 5))" "$(sql "
	SELECT f.name, count(*) FROM allocations b JOIN allocation_functions f ON f.id = b.function
	WHERE b.size_bytes = $bytes GROUP BY f.name ORDER BY f.name")"
assert_eq "blocks alive at one time in one place" 0 "$(sql "
	SELECT count(*) FROM (
		SELECT address_start, end_time, lead(time) OVER (PARTITION BY process_id, address_start
			ORDER BY time) AS next FROM allocations)
	WHERE next < end_time")"
