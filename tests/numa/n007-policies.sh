#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that homes are right if the program starts with a policy: from numactl before memdb or after memdb, and for a
# program without the tracker. The recordings are made as an ordinary user without asking the kernel for the nodes of
# pages, so that homes come only from policies. The last recording has page faults with physical addresses.
. "$(dirname "$0")/lib.sh"

on_guest <<'END'
need_user
numactl --hardware >"$T/hardware"
in_front()
{
	as+=(numactl "$1")
	shift
	run "$@"
}
as_user in_front --interleave=all front --follow-interval=0 -- "$PROGRAMS/place" serial own 0.7
as_user run membind --follow-interval=0 -- numactl --membind=1 "$PROGRAMS/place" serial own 0.7
as_user run preferred --follow-interval=0 -- numactl --preferred=3 "$PROGRAMS/place" serial own 0.7
run untracked --no-track -- numactl --interleave=0,2 "$PROGRAMS/place" serial own 1
END

# first_homes: prints for each home the number of first touches of the array, and how many of these pages the kernel
# reports on another node.
first_homes()
{
	sql "SELECT f.home_node_id, count(DISTINCT f.address >> 12), sum(f.home_node_id <> k.node)
		FROM answers.homes k JOIN page_faults f ON f.address >= k.address
			AND f.address < k.address + 4096 AND f.first GROUP BY 1"
}

use front
assert_eq "in front of memdb" "0|512|0
1|512|0
2|512|0
3|512|0" "$(first_homes)"
assert_homes front 99.9
assert_eq "in front: where the homes come from" first-touch "$(sql "
	SELECT DISTINCT s.name FROM hits h JOIN home_sources s ON s.id = h.home_source")"
use membind
assert_eq "membind behind memdb" "1|2048|0" "$(first_homes)"
assert_homes membind 99.9
assert_eq "membind: pages placed by a policy" 1 "$(sql "SELECT DISTINCT page_pinned FROM hits")"
use preferred
assert_eq "preferred behind memdb" "3|2048|0" "$(first_homes)"
assert_homes preferred 99.9
use untracked
assert_homes untracked 99.9
assert_topology "four nodes"
