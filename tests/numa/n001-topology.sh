#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The topology in the database is what the kernel says: nodes, their CPUs, distances, on machines of
# two and eight nodes, and on one whose third node has memory but no CPUs.
. "$(dirname "$0")/lib.sh"

# machine NAME OPTION...
machine()
{
	local name=$1

	shift
	on_guest "$@" <<'END'
numactl --hardware >"$T/hardware"
run topology -- true
END
	DB=$T/topology.db
	assert_eq "$name: CPUs of the nodes" \
		"$(sed -n 's/^node \([0-9]*\) cpus: *\(.*\)$/\1:\2/p' "$T/hardware")" \
		"$(sqlite3 "$DB" "SELECT n.id || ':' || coalesce(group_concat(c.id, ' '), '')
			FROM nodes n LEFT JOIN cpus c ON c.node_id = n.id GROUP BY n.id")"
	assert_eq "$name: megabytes of the nodes" \
		"$(sed -n 's/^node \([0-9]*\) size: \([0-9]*\) MB/\1:\2/p' "$T/hardware")" \
		"$(sqlite3 "$DB" "SELECT id || ':' || (mem_total_bytes >> 20) FROM nodes")"
	assert_eq "$name: distances" \
		"$(sed -n 's/^ *\([0-9]*\): *\([0-9 ]*[0-9]\) *$/\1: \2/p' "$T/hardware" | tr -s ' ')" \
		"$(sqlite3 "$DB" "SELECT from_node_id || ': ' || group_concat(distance, ' ') FROM
			(SELECT * FROM node_distances ORDER BY 1, 2) GROUP BY from_node_id")"
	assert_eq "$name: nodes without CPUs" "$(grep -c 'cpus: *$' "$T/hardware" || true)" \
		"$(sqlite3 "$DB" "SELECT count(*) FROM nodes WHERE cpus = ''")"
}

machine "two nodes" --nodes 2
assert_eq "nodes" 2 "$(sqlite3 "$DB" "SELECT count(*) FROM nodes")"
machine "eight nodes" --nodes 8 --memory 192
assert_eq "from the last to the first" 15 "$(sqlite3 "$DB" "
	SELECT distance FROM node_distances WHERE from_node_id = 7 AND to_node_id = 0")"
assert_eq "from the first to the last" 33 "$(sqlite3 "$DB" "
	SELECT distance FROM node_distances WHERE from_node_id = 0 AND to_node_id = 7")"
machine "memory only" --nodes 3 --cpuless 1
assert_eq "CPUs of the third node" "" "$(sqlite3 "$DB" "SELECT cpus FROM nodes WHERE id = 2")"
machine "no memory" --nodes 3 --memoryless 1
assert_eq "memory of the second node" 0 \
	"$(sqlite3 "$DB" "SELECT mem_total_bytes FROM nodes WHERE id = 1")"
