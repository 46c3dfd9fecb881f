#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that a local array belongs to the stack of the thread that uses it, and that the target of a pointer is one
# object.
. "$(dirname "$0")/lib.sh"
need_perf

record --sampler=timer stack_array 0.5

assert_addresses work_pass 500
assert_sound
assert_eq "objects behind the arrays" "main_local_array|stack|1
thread_local_array|stack|1" "$(sql "
	SELECT DISTINCT h.array, o.kind, o.thread_id = h.thread_id
	FROM hits h LEFT JOIN objects o ON o.id = h.object_id ORDER BY 1")"
assert_eq "stacks" 2 "$(sql "SELECT count(DISTINCT o.thread_id) FROM hits h JOIN objects o ON o.id = h.object_id")"
# at some instructions the pointer may be unknown, as in the kernel: their samples belong to the stack alone
assert_eq "several objects of one name on a stack" "" "$(sql "
	SELECT o.name FROM hits h JOIN objects o ON o.id = h.object_id
	GROUP BY o.thread_id, o.name HAVING count(DISTINCT o.id) > 1")"
