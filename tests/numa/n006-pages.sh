#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that homes are right for pages that are returned to the kernel, mapped again, read before they are written,
# copied after a fork, reused by malloc, or moved, and for huge pages. The recordings are made as root, where page
# faults have physical addresses, and as an ordinary user, where homes come from policies and from asking the kernel
# for the nodes of pages (move_pages).
. "$(dirname "$0")/lib.sh"

on_guest <<'END'
need_user
echo madvise >/sys/kernel/mm/transparent_hugepage/enabled
echo 4 >/sys/devices/system/node/node1/hugepages/hugepages-2048kB/nr_hugepages
run root -- "$PROGRAMS/pages"
as_user run user -- "$PROGRAMS/pages"
END

# faults ARRAY: prints the page faults in the array: the thread's node, whether it is a first touch, the home, and the
# number of pages.
faults()
{
	sql "SELECT f.cpu_node_id, f.first, f.home_node_id, count(*) FROM answers.arrays a
		JOIN threads t ON t.pid = a.pid JOIN page_faults f ON f.thread_id = t.id
			AND f.address >= a.address AND f.address < a.address + a.bytes
		WHERE a.name = '$1' GROUP BY 1, 2, 3 ORDER BY min(f.time)"
}

# work ARRAY COLUMN: prints the different values of this column in the samples of the work on the array.
work()
{
	sql "SELECT DISTINCT coalesce($2, 'unknown') FROM hits WHERE array = '$1'
		AND symbol_id IN (SELECT id FROM symbols WHERE name = 'work_on')"
}

for how in root user; do
	use $how
	assert_ge "$how: samples of the work" 80 "$(sql "SELECT count(*) FROM hits")"
	assert_eq "$how: samples whose home the kernel says otherwise" "" "$(sql "
		SELECT h.array, h.home_node_id, k.node, count(*) FROM hits h JOIN answers.homes k
			ON k.address = (h.address & ~4095) AND k.array = h.array AND k.pid = h.pid
		WHERE h.home_node_id <> k.node GROUP BY 1, 2, 3")"
	assert_eq "$how: given back" "0|1|0|64
2|1|2|64" "$(faults given_back)"
	assert_eq "$how: mapped again" "0|1|0|64
3|1|3|64" "$(faults mapped_again)"
	assert_eq "$how: read before it was written" "1|0|64
2|1|64" "$(faults read_first | cut -d '|' -f 1,2,4)"
	assert_eq "$how: home of what was read first" 2 "$(work read_first home_node_id)"
	assert_eq "$how: written by a parent after its child began" "0|1|0|64
1|0|1|64" "$(faults parents)"
	assert_eq "$how: home of the parent's copy" 1 "$(work parents home_node_id)"
	assert_eq "$how: home of what the child has kept" 0 "$(work childs home_node_id)"
	assert_eq "$how: faults of the child" "" "$(faults childs)"
	assert_eq "$how: huge pages" "3|1|3|2" "$(faults huge)"
	assert_eq "$how: their size" 2097152 "$(work huge page_bytes)"
	assert_eq "$how: their home" 3 "$(work huge home_node_id)"
	assert_eq "$how: pages of hugetlbfs" "1|1|1|2" "$(faults hugetlb)"
	assert_eq "$how: their size" 2097152 "$(work hugetlb page_bytes)"
	assert_eq "$how: their home" 1 "$(work hugetlb home_node_id)"
	assert_eq "$how: size of the others" 4096 "$(work given_back page_bytes)"
	# 80 and not 100: malloc writes to some of the pages itself, which can move their home
	assert_ge "$how: percent at home where the first block was written" 80 "$(percent \
		"$(sql "SELECT count(*) FROM hits WHERE array = 'used_before' AND home_node_id = 0")" \
		"$(sql "SELECT count(*) FROM hits WHERE array = 'used_before'")")"
	assert_eq "$how: it was placed before" 1 "$(work used_before reused)"
	assert_eq "$how: pages of its own, share of samples on older ones" "sample|0|100.0" "$(sql "
		SELECT source, pages, reused_pct FROM object_placement WHERE object_id =
			(SELECT object_id FROM hits WHERE array = 'used_before' LIMIT 1)")"
	assert_eq "$how: home of what realloc put elsewhere" 1 "$(work resized home_node_id)"
	assert_eq "$how: home of what mremap put elsewhere" 2 "$(work remapped home_node_id)"
	assert_eq "$how: home of what is bound and grows" 3 "$(work grown home_node_id)"
	assert_eq "$how: threads and pages are pinned" "1|1" "$(sql "
		SELECT DISTINCT thread_pinned, page_pinned FROM hits WHERE array <> 'moved'")"
	assert_ge "$how: faults before the thread was pinned" 1 "$(sql "
		SELECT count(*) FROM page_faults WHERE thread_pinned = 0 AND page_pinned = 0")"
done
