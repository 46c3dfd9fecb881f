#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that C++ blocks have the names of their variables, whether new or the allocator of a container made them.
. "$(dirname "$0")/lib.sh"
need_perf

record --sampler=timer cxx

assert_addresses work_pass 700
assert_hits_joined
assert_all_hit
assert_sound
# A location shows the program's own line, not the line of a library's header whose function is inlined there.
assert_eq "lines of headers that hide lines of the program" "" "$(sql "
	SELECT DISTINCT f.path FROM locations AS l JOIN files AS f ON f.id = l.file_id JOIN inlined_frames AS n ON n.location_id = l.id AND n.depth > 0 JOIN files AS g ON g.id = n.file_id
	WHERE f.path LIKE '/usr/include/%' AND g.path LIKE '%/cxx.cc'")"
assert_ge "frames of libraries in the call paths" 1 "$(sql "SELECT count(*) FROM location_frames WHERE depth < 0")"
# The call path goes from operator new or the allocator to the function that needed the memory.
for case in grid:make_grid array:make_array; do
	assert_ge "call path of ${case%:*} goes through ${case#*:}" 1 "$(sql "
		WITH RECURSIVE path(id, parent_id, symbol_id) AS (
			SELECT c.id, c.parent_id, c.symbol_id FROM call_paths c WHERE c.id IN
				(SELECT b.call_path_id FROM hits h
				JOIN allocations b ON b.id = h.allocation_id
				WHERE h.array = '${case%:*}')
			UNION SELECT c.id, c.parent_id, c.symbol_id
			FROM path p JOIN call_paths c ON c.id = p.parent_id)
		SELECT count(*) FROM path JOIN symbols s ON s.id = path.symbol_id
		WHERE s.name LIKE '${case#*:}(%' OR s.name LIKE '${case#*:}()'")"
done
