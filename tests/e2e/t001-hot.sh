#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that the timer sampler finds the one hot array among three.
. "$(dirname "$0")/lib.sh"
need_perf

record --sampler=timer hot 1 2

# A load that retires together with the next instruction may have lost its address, because that one loads the next
# index into the same register: the CPU decides how often. Its object is known. Without an object is only the end of the
# loop, where no instruction accesses memory.
assert_addresses hot_loop 1000
assert_ge "percent of them with an object" 97 "$(sql "
	SELECT 100.0 * count(s.object_id) / count(*) FROM samples s
	WHERE s.symbol_id IN (SELECT id FROM symbols WHERE name = 'hot_loop')")"
assert_match "why some samples of the loop have none" '^(no-operand)?$' "$(sql "
	SELECT DISTINCT r.name FROM samples s JOIN addr_reasons r ON r.id = s.addr_reason
	WHERE s.symbol_id IN (SELECT id FROM symbols WHERE name = 'hot_loop') AND s.object_id IS NULL")"
assert_hits_joined
assert_all_hit
assert_sound

# The program reads "gather" at random and the other two arrays sequentially, so gather costs more than
# both of them.
assert_eq "array with the largest cost" gather "$(sql "
	SELECT object FROM object_costs ORDER BY cost DESC LIMIT 1")"
assert_ge "its percent of the three arrays' cost" 50 "$(sql "
	SELECT 100.0 * sum(cost) FILTER (WHERE object = 'gather') / sum(cost)
	FROM object_costs WHERE object IN ('gather', 'idx', 'out')")"

# Each array is one block, and each was allocated by a different function.
assert_eq "objects behind the arrays" "gather|1|make_gather
idx|1|make_index
out|1|make_out" "$(sql "
	SELECT DISTINCT h.array, o.allocations, l.function
	FROM hits h JOIN objects o ON o.id = h.object_id JOIN allocations b ON b.id = h.allocation_id
	JOIN call_paths c ON c.id = b.call_path_id JOIN locations l ON l.id = c.location_id
	WHERE o.kind = 'heap' ORDER BY 1")"
