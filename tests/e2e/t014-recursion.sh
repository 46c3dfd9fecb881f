#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that all blocks of a recursive function are one object, at any depth, and that each block keeps its own call
# path.
. "$(dirname "$0")/lib.sh"
need_perf

record --all-blocks --sampler=timer tree
assert_sound

objects() { # SIZE: prints the number of blocks and the allocating function of the objects with blocks of this size
	sql "SELECT o.allocations, l.function FROM objects o
		JOIN call_paths c ON c.id = o.call_path_id JOIN locations l ON l.id = c.location_id
		WHERE o.id IN (SELECT object_id FROM allocations WHERE size_bytes = $1)"
}
nodes=$(value nodes) even=$(value even)
assert_eq "objects of the tree" "$nodes|build" "$(objects 1009)"
assert_eq "objects of the lists" "$even|even
$even|odd" "$(objects 2003)
$(objects 3001)"

# The recursion makes 2^12 - 1 nodes. Each is allocated by another path through the tree, so each
# has a call path of its own.
assert_eq "call paths of the nodes" "$nodes" "$(sql "
	SELECT count(DISTINCT call_path_id) FROM allocations WHERE size_bytes = 1009")"
assert_eq "frames of build() in the object's call path" 1 "$(sql "
	WITH RECURSIVE up (id) AS (
		SELECT DISTINCT o.call_path_id FROM objects o JOIN allocations a ON a.object_id = o.id WHERE a.size_bytes = 1009
		UNION ALL SELECT c.parent_id FROM up JOIN call_paths c ON c.id = up.id WHERE c.parent_id IS NOT NULL)
	SELECT count(*) FROM up JOIN call_paths c ON c.id = up.id JOIN locations l ON l.id = c.location_id
	WHERE l.function = 'build'")"
