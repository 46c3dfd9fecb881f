#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that homes are right after each call that moves pages away from the node of their first touch, and also
# if a policy was set from outside the program. Also proves that memdb reports each change of a thread's CPU in
# order.
. "$(dirname "$0")/lib.sh"

on_guest <<'END'
run move -- "$PROGRAMS/place" move=2 own 2
run rebind -- "$PROGRAMS/place" rebind=1 own 2
run migrate -- "$PROGRAMS/place" migrate=3 own 2
run membind -- numactl --membind=1 "$PROGRAMS/place" serial own 1
run interleaved -- numactl --interleave=all "$PROGRAMS/place" serial own 1
run wander -- "$PROGRAMS/wander"
END

for run in move:2 rebind:1 migrate:3; do
	use "${run%:*}"
	assert_moved "${run%:*}" "${run#*:}"
	assert_eq "${run%:*}: pages first touched on node 0" 2048 "$(sql "SELECT sum(pages)
		FROM first_touches WHERE object = 'job.array' AND home_node_id = 0")"
done

use membind
assert_homes membind 99.9
assert_eq "membind: homes" 1 "$(sql "SELECT DISTINCT home_node_id FROM hits WHERE array = 'array'")"
use interleaved
assert_homes interleaved 99.9
assert_first_touches interleaved
assert_eq "interleaved: first touches by node" "0|512
1|512
2|512
3|512" "$(sql "SELECT home_node_id, sum(pages) FROM first_touches WHERE object = 'job.array' GROUP BY 1")"

use wander
# Before the first of its own CPUs, the thread runs where its parent started it.
assert_eq "wander: the last CPUs of the thread" "$(sed -n 's/^cpu //p' "$T/wander.out" | xargs)" "$(sql "
	SELECT from_cpus FROM (SELECT * FROM moves WHERE kind = 'thread' ORDER BY time LIMIT 1);
	SELECT to_cpus FROM moves WHERE kind = 'thread' ORDER BY time" | tail -n 8 | xargs)"
