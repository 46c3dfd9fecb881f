#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that memory on a node without CPUs is remote for every thread; even the nearest such memory is not local.
# Memory that is first touched on a node without memory is on another node.
. "$(dirname "$0")/lib.sh"

on_guest --nodes 3 --cpuless 1 <<'END'
numactl --hardware >"$T/hardware"
run far -- "$PROGRAMS/place" bind=2 own 1
run later -- "$PROGRAMS/place" move=2 own 4
END
use far
assert_topology "memory only"
assert_eq "CPUs of the third node" "" "$(sqlite3 "$DB" "SELECT cpus FROM nodes WHERE id = 2")"
assert_homes far 99.9
assert_metrics far
assert_eq "far: pinning of the array's accesses whose home is known" "memory node|nearest" "$(sql "
	SELECT memory, class FROM pinning WHERE scope = 'object' AND memory IS NOT NULL
		AND object_id = (SELECT id FROM objects WHERE name = 'job.array')")"
assert_first_touches far
assert_eq "far: homes" 2 "$(sql "SELECT DISTINCT home_node_id FROM hits WHERE array = 'array'")"
assert_eq "far: local samples" 0 "$(count 'home_node_id = cpu_node_id')"
assert_eq "far: nodes with threads" "0
1" "$(sql "SELECT DISTINCT cpu_node_id FROM hits WHERE array = 'array' ORDER BY 1")"
use later
assert_moved later 2

on_guest --nodes 3 --memoryless 1 <<'END'
numactl --hardware >"$T/hardware"
run elsewhere -- "$PROGRAMS/place" parallel own 1
END
use elsewhere
assert_topology "no memory"
assert_eq "memory of the second node" 0 "$(sqlite3 "$DB" "SELECT mem_total_bytes FROM nodes WHERE id = 1")"
assert_homes elsewhere 99.9
assert_eq "elsewhere: node of the threads, home" "0|0
1|2
2|2" "$(matrix | cut -d '|' -f 1,2)"
