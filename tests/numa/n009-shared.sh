#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that each page of memory that processes share has one home and one first touch for all of them, no matter how
# it is shared and which process is seen first. A page that the kernel only reads for a system call has no home. A
# page that the kernel places without a page fault has no home or the right one. The recordings are made as root,
# where page faults have physical addresses, and as an ordinary user, where homes come from policies.
. "$(dirname "$0")/lib.sh"

on_guest <<'END'
need_user
mkdir -m 777 /var/tmp/share
cd /var/tmp/share
run root --follow-interval=0 -- "$PROGRAMS/share"
as_user run user --follow-interval=0 -- "$PROGRAMS/share"
END

# touches ARRAY: counts the first touches of the array's pages by node of the CPU, home and function.
touches()
{
	sql "SELECT f.cpu_node_id, f.home_node_id, l.function, count(*) FROM page_faults f
		JOIN locations l ON l.id = f.location_id
		WHERE f.first AND l.function LIKE 'w%' AND f.object_id IN (SELECT object_id FROM hits
			WHERE array = '$1') GROUP BY 1, 2, 3"
}

# known ARRAY: prints the percentage of samples of the work on the array that have a home.
known()
{
	percent "$(sql "SELECT count(*) FROM hits WHERE array = '$1' AND home_node_id IS NOT NULL")" \
		"$(sql "SELECT count(*) FROM hits WHERE array = '$1'")"
}

for how in root user; do
	use $how
	assert_eq "$how: samples whose home the kernel says otherwise" "" "$(sql "
		SELECT h.array, h.home_node_id, k.node, count(*) FROM hits h JOIN answers.homes k
			ON k.address = (h.address & ~4095) AND k.array = h.array AND k.pid = h.pid
		WHERE h.home_node_id <> k.node GROUP BY 1, 2, 3")"
	for array in anonymous memfd posix systemv spread; do
		assert_ge "$how: samples of $array" 20 "$(sql "SELECT count(*) FROM hits WHERE array = '$array'")"
		assert_eq "$how: percent of $array with a home" 100.0 "$(known $array)"
		assert_eq "$how: percent of ${array}_later with a home" 100.0 "$(known ${array}_later)"
		assert_eq "$how: first touches of $array by who only reads" 0 "$(sql "
			SELECT count(*) FROM page_faults f JOIN locations l ON l.id = f.location_id
			JOIN threads t ON t.id = f.thread_id
			JOIN answers.arrays a ON f.address >= a.address AND f.address < a.address + a.bytes
				AND a.pid = t.pid
			WHERE a.name IN ('$array', '${array}_later') AND f.first")"
	done
	assert_ge "$how: samples of populated" 20 "$(sql "SELECT count(*) FROM hits WHERE array = 'populated'")"
	for array in anonymous memfd posix systemv; do
		# Three of four pages are remote for the reading process, so 75 % are expected. With 60 samples the
		# standard deviation is 5.6, so a correct result is practically never as low as 40.
		assert_ge "$how: percent of $array that is remote" 40 "$(percent \
			"$(sql "SELECT count(*) FROM hits WHERE array = '$array' AND home_node_id <> cpu_node_id")" \
			"$(sql "SELECT count(*) FROM hits WHERE array = '$array'")")"
	done
	assert_eq "$how: first touches of anonymous" "0|0|write_pages|64
1|1|write_pages|64
2|2|write_pages|64
3|3|write_pages|64" "$(touches anonymous)"
	assert_eq "$how: home of what the kernel has read first" 2 "$(sql "
		SELECT DISTINCT coalesce(home_node_id, 'unknown') FROM hits WHERE array = 'by_kernel'")"
	assert_eq "$how: its first touches" "2|2|256" "$(sql "
		SELECT f.cpu_node_id, f.home_node_id, count(*) FROM page_faults f JOIN answers.arrays a
			ON f.address >= a.address AND f.address < a.address + a.bytes
		WHERE a.name = 'by_kernel' AND f.first GROUP BY 1, 2")"
done
