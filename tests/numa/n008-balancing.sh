#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel that moves pages by itself, to the node of the threads that use them.
. "$(dirname "$0")/lib.sh"

on_guest --append "numa_balancing=enable" <<'END'
mount -t debugfs debugfs /sys/kernel/debug
cd /sys/kernel/debug/sched/numa_balancing
echo 50 >scan_delay_ms
echo 50 >scan_period_min_ms
echo 200 >scan_period_max_ms
echo 1 >/proc/sys/kernel/numa_balancing
cd /
run balanced --trace=migrate -- "$PROGRAMS/place" serial own 2
END

use balanced
assert_ge "pages that the kernel has moved" 100 "$(sql "SELECT count(*) FROM answers.homes WHERE node <> 0")"
assert_ge "batches of them that were traced" 1 "$(sql "
	SELECT count(*) FROM page_migrations WHERE reason = 'numa_misplaced' AND pages > 0")"
assert_eq "pages first touched on node 0" 2048 "$(sql "
	SELECT count(DISTINCT f.address >> 12) FROM page_faults f JOIN answers.homes k
		ON f.address >= k.address AND f.address < k.address + 4096 WHERE f.first AND f.home_node_id = 0")"
assert_ge "samples of moved pages that are local" 10 "$(count "
	home_node_id = cpu_node_id AND cpu_node_id <> 0")"
# The last look is the tracker's, when no thread works any more and the kernel has nothing to move: every page
# that it asked about is where the kernel says. Of the pages between, what the last fault or look told
# is where they were then.
looked="SELECT k.node AS node, p.node_id AS told FROM answers.homes k JOIN page_homes p
		ON k.address >= p.address_start AND k.address < p.address_end
			AND (k.address - p.address_start) % p.step_bytes = 0
	WHERE p.source = 'tracker' AND p.time = (SELECT max(time) FROM page_homes WHERE source = 'tracker')"
pages=$(sql "SELECT count(*) FROM ($looked)")
assert_ge "pages of the last look" 1 "$pages"
assert_eq "those that are where the kernel says" "$pages" "$(sql "SELECT count(*) FROM ($looked) WHERE told = node")"
