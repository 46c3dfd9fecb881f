#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that the database has the kernel's topology, on machines with two and eight nodes. Other tests check machines
# with four nodes, with a node without CPUs, and with a node without memory. Of the eight nodes only four have CPUs,
# because the boot of an emulated machine with eight CPUs may hang.
. "$(dirname "$0")/lib.sh"

# machine NAME OPTION...: records on a machine with these options and checks its topology.
machine()
{
	local name=$1

	shift
	on_guest "$@" <<'END'
numactl --hardware >"$T/hardware"
run topology -- true
END
	DB=$T/topology.db
	assert_topology "$name"
}

machine "two nodes" --nodes 2
assert_eq "nodes" 2 "$(sqlite3 "$DB" "SELECT count(*) FROM nodes")"
machine "eight nodes" --nodes 8 --cpuless 4 --memory 192
assert_eq "from the last to the first" 15 "$(sqlite3 "$DB" "
	SELECT distance FROM node_distances WHERE from_node_id = 7 AND to_node_id = 0")"
assert_eq "from the first to the last" 33 "$(sqlite3 "$DB" "
	SELECT distance FROM node_distances WHERE from_node_id = 0 AND to_node_id = 7")"
