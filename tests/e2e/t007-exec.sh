#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that samples from before an exec() stay with the first program.
. "$(dirname "$0")/lib.sh"
need_perf

record --sampler=timer exec_chain "$PROGRAMS/hot" 1

assert_addresses work_pass 300
assert_addresses hot_loop 500
assert_hits_joined
assert_sound
assert_eq "one process id" 1 "$(sql "SELECT count(DISTINCT pid) FROM hits")"
assert_eq "who made what" "before|make_before
gather|make_gather" "$(sql "
	SELECT DISTINCT h.array, l.function FROM hits h JOIN allocations b ON b.id = h.allocation_id
	JOIN call_paths c ON c.id = b.call_path_id JOIN locations l ON l.id = c.location_id
	WHERE h.array IN ('before', 'gather') ORDER BY 1")"
assert_eq "the first program's block ended with it" 1 "$(sql "
	SELECT DISTINCT b.end_time < (SELECT min(start_ns) FROM answers.arrays WHERE name = 'gather')
	FROM hits h JOIN allocations b ON b.id = h.allocation_id WHERE h.array = 'before'")"
