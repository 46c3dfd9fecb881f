#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that memdb stores the right home nodes of pages even if the kernel moves pages to the node of the threads that
# use them (NUMA balancing).
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
	SELECT count(*) FROM moves WHERE reason = 'numa_misplaced' AND pages > 0")"
assert_eq "pages first touched on node 0" 2048 "$(sql "
	SELECT count(DISTINCT f.address >> 12) FROM page_faults f JOIN answers.homes k
		ON f.address >= k.address AND f.address < k.address + 4096 WHERE f.first AND f.home_node_id = 0")"
assert_ge "samples of moved pages that are local" 10 "$(count "
	home_node_id = cpu_node_id AND cpu_node_id <> 0")"
# SQL for each page of the array: `node` is where the kernel reports the page at the end; `told` is the node that memdb
# saw last, by a page fault or by asking the kernel.
last="SELECT k.node AS node, (SELECT node FROM (
		SELECT f.time AS time, f.home_node_id AS node FROM page_faults f
			WHERE f.address >= k.address AND f.address < k.address + 4096
		UNION ALL SELECT p.time, p.node_id FROM page_homes p
			WHERE k.address >= p.address_start AND k.address < p.address_end
				AND (k.address - p.address_start) % p.step_bytes = 0
		ORDER BY time DESC LIMIT 1)) AS told FROM answers.homes k"
assert_eq "pages whose node the kernel does not say" 0 "$(sql "SELECT count(*) FROM answers.homes WHERE node < 0")"
assert_eq "pages whose last told home is right" "$(sql "SELECT count(*) FROM answers.homes")" \
	"$(sql "SELECT count(*) FROM ($last) WHERE told = node")"
