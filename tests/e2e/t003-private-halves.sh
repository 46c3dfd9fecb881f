#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that the view of threads by offset shows which part of an object each thread uses. Here two threads each work
# on one half of an object.
. "$(dirname "$0")/lib.sh"
need_perf

record --sampler=timer private_halves 0.5

assert_addresses work_pass 500
assert_sound
assert_eq "one object" 1 "$(sql "SELECT count(DISTINCT object_id) FROM hits WHERE array = 'halves'")"
assert_eq "threads on each half" "left|left
right|right" "$(sql "
	SELECT DISTINCT t.comm, CASE WHEN h.object_offset * 2 < h.array_bytes THEN 'left' ELSE 'right' END
	FROM hits h JOIN threads t ON t.id = h.thread_id JOIN symbols s ON s.id = h.symbol_id
	WHERE h.array = 'halves' AND s.name = 'work_pass' ORDER BY 1")"
for side in left right; do
	assert_ge "samples of the thread $side" 250 "$(sql "
		SELECT count(*) FROM hits WHERE array = '$side'")"
done
