#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that first touches, homes and remote accesses of an array are right. Its pages are placed in known ways, and
# each of four nodes has one worker thread.
. "$(dirname "$0")/lib.sh"

on_guest <<'END'
numactl --hardware >"$T/hardware"
run serial -- "$PROGRAMS/place" serial own 1
run parallel -- "$PROGRAMS/place" parallel own 1
run interleave -- "$PROGRAMS/place" interleave all 1
run policy -- "$PROGRAMS/place" policy own 1
run bind -- "$PROGRAMS/place" bind=2 own 0.5
run preferred -- "$PROGRAMS/place" preferred=3 own 0.5
run staggered -- "$PROGRAMS/place" parallel next 0.5
run private -- "$PROGRAMS/place" parallel first 0.5
run uniform -- "$PROGRAMS/place" parallel all 1
"$MEMDB" record -q --sampler=soft -c 1 -o /var/tmp/kernels.db -- "$PROGRAMS/kernels"
cp /var/tmp/kernels.db "$T/"
END

# assert_quarter WHAT CONDITION: checks that CONDITION is true for about 25 % of the samples of the work on the
# array. The tolerance is 5 % plus four standard deviations for this number of samples.
assert_quarter()
{
	local all part

	all=$(count 1)
	part=$(count "$2")
	awk -v n="$all" -v k="$part" 'BEGIN { d = 100 * k / n - 25
		exit !(d * d <= (5 + 4 * sqrt(1875 / n)) ^ 2) }' || fail "$1: $part of $all"
	echo "ok: $1 = $part of $all"
}

# remote_of_threads: prints each thread's percentage of remote accesses to the array, in the order of the threads'
# nodes.
remote_of_threads()
{
	sql "SELECT h.remote_pct FROM object_thread_costs h JOIN threads t ON t.id = h.thread_id JOIN answers.arrays a ON a.tid = t.tid
		WHERE h.object = 'job.array' ORDER BY a.name" | tr '\n' ' '
}

# ranges: prints for each thread the quarters of the array in which its accesses begin and end.
ranges()
{
	sql "SELECT CAST(4 * min(s.place) AS INTEGER), CAST(4 * max(s.place) AS INTEGER) FROM access_samples s
		JOIN answers.arrays a ON a.tid = s.tid
		WHERE s.object = 'job.array' GROUP BY s.tid ORDER BY a.name"
}

use serial
assert_homes serial 99.9
assert_metrics serial
assert_first_touches serial
assert_eq "serial: first touches by thread and node" "$(sql "SELECT a.pid || '|0|2048' FROM answers.arrays a
	WHERE a.name = 'array'")" "$(sql "SELECT tid, home_node_id, sum(pages) FROM first_touches
	WHERE object = 'job.array' GROUP BY 1, 2")"
# Only ratios can be checked, because the emulation decides how often each thread is sampled. If all threads do the
# same work, the ratio of remote to local accesses, M_r / M_l, is the number of nodes minus 1.
assert_eq "serial: remote accesses of each thread, percent" "0.0 100.0 100.0 100.0 " "$(remote_of_threads)"
assert_eq "serial: local samples are those of the first thread" "$(count 'cpu_node_id = 0')" \
	"$(count 'home_node_id = cpu_node_id')"

use parallel
assert_homes parallel 99.9
assert_metrics parallel
assert_first_touches parallel
assert_eq "parallel: first touches by thread and node" \
	"$(sql "SELECT tid, substr(name, 5), 512 FROM answers.arrays WHERE name <> 'array' ORDER BY 1")" \
	"$(sql "SELECT tid, home_node_id, sum(pages) FROM first_touches
		WHERE object = 'job.array' GROUP BY 1, 2")"
assert_eq "parallel: quarters of the threads" "0|0
1|1
2|2
3|3" "$(ranges)"
assert_eq "parallel: remote samples" 0 "$(count 'home_node_id <> cpu_node_id')"

for how in interleave policy; do
	use $how
	assert_homes $how 99.9
	assert_metrics $how
	assert_first_touches $how
	assert_eq "$how: first touches by node" "0|512
1|512
2|512
3|512" "$(sql "SELECT home_node_id, sum(pages) FROM first_touches WHERE object = 'job.array' GROUP BY 1")"
	for node in 0 1 2 3; do
		assert_quarter "$how: requests to node $node" "home_node_id = $node"
	done
done
assert_eq "interleave: cells of the access matrix" 16 "$(use interleave >&2 && matrix | wc -l)"

use bind
assert_homes bind 99.9
assert_metrics bind
assert_first_touches bind
assert_eq "bind: homes" 0 "$(count 'home_node_id IS NOT 2')"
assert_eq "bind: local samples are those of node 2" "$(count 'cpu_node_id = 2')" \
	"$(count 'home_node_id = cpu_node_id')"

use preferred
assert_homes preferred 99.9
assert_metrics preferred
assert_first_touches preferred
assert_eq "preferred: homes" 0 "$(count 'home_node_id IS NOT 3')"

use staggered
assert_homes staggered 99.9
assert_metrics staggered
assert_eq "staggered: cells of the access matrix" "0|1
1|2
2|3
3|0" "$(matrix | cut -d '|' -f 1,2)"
assert_eq "staggered: local accesses in the work" 0 "$(count 'home_node_id = cpu_node_id')"
use private
assert_homes private 99.9
assert_metrics private
assert_eq "private: nodes with requests from" 0 "$(matrix | cut -d '|' -f 1 | sort -u)"
assert_eq "private: nodes with requests to" "0 1 2 3" "$(matrix | cut -d '|' -f 2 | tr '\n' ' ' | sed 's/ $//')"
use uniform
assert_homes uniform 99.9
assert_metrics uniform
assert_eq "uniform: cells of the access matrix" 16 "$(matrix | wc -l)"
for node in 0 1 2 3; do
	assert_quarter "uniform: requests to node $node" "home_node_id = $node"
done

# From here on: a stencil and a matrix product (kernels.c), recorded with every access and not only samples, so
# the exact numbers are known.
DB=$T/kernels.db

# rows_of_threads: prints what each thread does to each array: NODE ARRAY LOADS STORES
rows_of_threads()
{
	local node rows=(15 16 16 15)

	for node in 0 1 2 3; do
		echo "$node a $((16 * 64 * 64)) 0"
		echo "$node b $((16 * 64 * 64)) 0"
		echo "$node c $((16 * 64 * 64)) $((16 * 64 * 64))"
		echo "$node in $((rows[node] * 510 * 5)) 0"
		echo "$node out 0 $((rows[node] * 510))"
	done
}
assert_eq "kernels: accesses by thread and array" "$(rows_of_threads)" "$(sqlite3 -separator ' ' "$DB" "
	SELECT node, object, CAST(total(iif(opcode = 'Load', estimate, 0)) AS INTEGER), CAST(total(iif(opcode = 'Store', estimate, 0)) AS INTEGER)
	FROM access_samples WHERE function IN ('stencil', 'product') GROUP BY 1, 2")"

# matrix_of ARRAY FUNCTION: prints rows CPU_NODE|HOME|ACCESSES
matrix_of()
{
	sqlite3 "$DB" "SELECT node, home, CAST(sum(estimate) AS INTEGER) FROM access_samples WHERE object = '$1' AND function = '$2' GROUP BY 1, 2"
}
# A thread computes 16 rows of `out`, the first and the last thread only 15. For each it reads three rows of `in`.
# For the rows at the border to another thread's quarter, one of the three belongs to that thread.
matrix_of in stencil >"$T/stencil"
assert_eq "stencil: accesses by node and home" "0|0|$((15 * 2550 - 510))
0|1|510
1|0|510
1|1|$((16 * 2550 - 1020))
1|2|510
2|1|510
2|2|$((16 * 2550 - 1020))
2|3|510
3|2|510
3|3|$((15 * 2550 - 510))" "$(cat "$T/stencil")"
assert_eq "product: accesses to b by node and home" "$(for i in 0 1 2 3; do for j in 0 1 2 3; do echo "$i|$j|16384"; done; done)" "$(matrix_of b product)"
# The object's δ is that of the stencil alone, because accesses up to a page's first touch have no home yet and
# do not count.
assert_near "δ of the stencil's input" "$(metrics 0 <"$T/stencil" | grep delta)" "$(sqlite3 "$DB" "
	SELECT printf('delta %.6f', delta) FROM numa_distance WHERE scope = 'object' AND object_id = (SELECT id FROM objects WHERE name = 'in')")"
# Only five digits are compared: of the 262,144 accesses, the one that first touches a page may be counted, as local or
# as remote.
assert_eq "δ of b, which all threads access alike: 1/16" 0.06250 "$(sqlite3 "$DB" "
	SELECT printf('%.5f', delta) FROM numa_distance WHERE scope = 'object' AND object_id = (SELECT id FROM objects WHERE name = 'b')")"
assert_eq "δ of what only its own thread accesses" "a 0.00000
c 0.00000
out 0.00000" "$(sqlite3 "$DB" "SELECT printf('%s %.5f', o.name, d.delta) FROM numa_distance d JOIN objects o ON o.id = d.object_id
	WHERE d.scope = 'object' AND o.name IN ('a', 'c', 'out') ORDER BY 1")"
