#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that a sample belongs to the block that was alive at its time, if two blocks had the same address one after
# the other.
. "$(dirname "$0")/lib.sh"
need_perf

record --sampler=timer realloc_reuse 0.4
assert_eq "the block moved" 1 "$(value moved)"
assert_eq "its address was used again" 1 "$(value reused)"

assert_addresses work_pass 600
assert_hits_joined
assert_all_hit
assert_sound

assert_eq "each array is one block" "first|1
moved|1
second|1" "$(sql "SELECT array, count(DISTINCT allocation_id) FROM hits GROUP BY array ORDER BY 1")"
assert_eq "who made it" "first|make_first
moved|grow_first
second|make_second" "$(sql "
	SELECT DISTINCT h.array, l.function FROM hits h JOIN allocations b ON b.id = h.allocation_id
	JOIN call_paths c ON c.id = b.call_path_id JOIN locations l ON l.id = c.location_id
	ORDER BY 1")"
assert_eq "the moved block names the one it replaced" 1 "$(sql "
	SELECT DISTINCT moved.previous_id = first.allocation_id
	FROM hits h JOIN allocations moved ON moved.id = h.allocation_id,
		(SELECT DISTINCT allocation_id FROM hits WHERE array = 'first') first
	WHERE h.array = 'moved'")"
assert_eq "both lives of the address, in order" "first|second" "$(sql "
	SELECT group_concat(array, '|') FROM (SELECT DISTINCT h.array
	FROM hits h JOIN allocations b ON b.id = h.allocation_id WHERE h.array <> 'moved'
	ORDER BY b.time)")"
