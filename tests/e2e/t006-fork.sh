#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that after fork(), parent and child have different blocks at the same address.
. "$(dirname "$0")/lib.sh"
need_perf

record --sampler=timer fork_arrays

assert_addresses work_pass 1000
assert_hits_joined
assert_all_hit
assert_sound
assert_eq "processes that worked" 2 "$(sql "SELECT count(DISTINCT pid) FROM hits")"
assert_eq "who made what" "child|make_childs
common_child|make_common
common_parent|make_common
parent|make_parents" "$(sql "
	SELECT DISTINCT h.array, l.function FROM hits h JOIN allocations b ON b.id = h.allocation_id
	JOIN call_paths c ON c.id = b.call_path_id JOIN locations l ON l.id = c.location_id
	ORDER BY 1")"
# The parent made the block of "common_child" before the fork; the child works on its copy.
assert_eq "arrays whose block another process made" common_child "$(sql "
	SELECT DISTINCT h.array FROM hits h JOIN threads t ON t.id = h.thread_id
	JOIN allocations b ON b.id = h.allocation_id WHERE b.process_id <> t.process_id")"
