#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that first touches have the right thread, node, object and source line: for static, stack, mapped and heap
# memory, for touches by the kernel in a system call, and for a copy after fork(). Also proves the affinity of the
# threads.
. "$(dirname "$0")/lib.sh"

on_guest <<'END'
run touch -- "$PROGRAMS/touch"
run dwarf --call-graph=dwarf -- "$PROGRAMS/touch"
END
use touch

# line NAME: prints the number of the line in which touch.c first touches the array NAME.
line()
{
	grep -n "/\* touch $1 \*/" "$SRC/tests/numa/touch.c" | cut -d : -f 1
}

# faults NAME: prints the first touches of the array by the thread that the program named: one row for each object,
# kind, home, function and line, with the number of pages and the kernel's node.
faults()
{
	sql "SELECT o.name, o.kind, f.home_node_id, l.function, l.line, count(*), k.node
		FROM answers.arrays a
		JOIN answers.homes k ON k.address >= a.address AND k.address < a.address + a.bytes
		JOIN page_faults f ON f.address & ~4095 = k.address AND f.first
		JOIN threads t ON t.id = f.thread_id AND t.tid = a.tid AND t.pid = a.pid
		LEFT JOIN objects o ON o.id = f.object_id LEFT JOIN locations l ON l.id = f.location_id
		WHERE a.name = '$1' GROUP BY o.id, f.home_node_id, l.id, k.node"
}

assert_eq "static" "static_table|static|1|touch_static|$(line static_table)|64|1" "$(faults static_table)"
assert_eq "stack" "stack|1|touch_stack|$(line on_stack)|64|1" "$(faults on_stack | cut -d '|' -f 2-)"
assert_eq "mmap" "mapped|mapping|2|touch_mapped|$(line mapped)|64|2" "$(faults mapped)"
assert_eq "calloc" "cleared|heap|3|touch_cleared|$(line cleared)|64|3" "$(faults cleared)"
assert_eq "copied after fork" "copied|heap|3|touch_copied|$(line copied)|64|3" "$(faults copied)"
assert_eq "read() into a block" "from_kernel|heap|2|64|2" "$(faults from_kernel | cut -d '|' -f 1-3,6-)"
assert_eq "before the fork: pages the main thread wrote on node 0" 64 "$(sql "
	SELECT count(*) FROM page_faults f JOIN threads t ON t.id = f.thread_id AND t.tid = t.pid
	JOIN answers.arrays a ON a.name = 'copied' AND f.address >= a.address
		AND f.address < a.address + a.bytes AND a.pid <> t.pid
	WHERE f.first AND f.home_node_id = 0")"
assert_eq "affinity: node of each thread" "0
1
2
3
3" "$(sql "SELECT node_id FROM thread_affinities WHERE source = 'sched_setaffinity' ORDER BY 1")"

# called_by NAME FUNCTION: counts the first touches of the array whose call path contains the function.
called_by()
{
	sql "WITH RECURSIVE up (fault, path) AS (
			SELECT f.id, f.call_path_id FROM page_faults f
			JOIN answers.arrays a ON f.address >= a.address AND f.address < a.address + a.bytes
			JOIN threads t ON t.id = f.thread_id AND t.tid = a.tid AND t.pid = a.pid
			WHERE a.name = '$1' AND f.first
			UNION SELECT fault, parent_id FROM up JOIN call_paths c ON c.id = path)
		SELECT count(DISTINCT fault) FROM up JOIN call_paths c ON c.id = path
			JOIN locations l ON l.id = c.location_id WHERE l.function = '$2'"
}

# Only a recording with copies of the stack (--call-graph=dwarf) shows who called libc's read(), because read()
# keeps no frame pointer.
use dwarf
# The array on_stack is not checked: it is larger than the copied part of the stack, so the frames of its callers are
# not in the copy.
for array in static_table mapped cleared; do
	assert_eq "$array: pages with the thread's function in their call path" 64 "$(called_by $array worker)"
done
assert_eq "copied: pages with main() in their call path" 64 "$(called_by copied main)"
assert_eq "read(): pages with the line of the call in their call path" 64 "$(sql "
	WITH RECURSIVE up (fault, path) AS (
		SELECT f.id, f.call_path_id FROM page_faults f JOIN answers.arrays a
			ON f.address >= a.address AND f.address < a.address + a.bytes
			WHERE a.name = 'from_kernel'
		UNION ALL SELECT fault, parent_id FROM up JOIN call_paths c ON c.id = path)
	SELECT count(DISTINCT fault) FROM up JOIN call_paths c ON c.id = path
		JOIN locations l ON l.id = c.location_id
	WHERE l.function = 'read_from_kernel' AND l.line = $(line from_kernel)")"
