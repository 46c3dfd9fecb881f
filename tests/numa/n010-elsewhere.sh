#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that no home is wrong for pages that are not where policy or first touch would place them: interleaved over
# three nodes, on a full node, made huge by a call or by the kernel, or moved by another process. Such a home may be
# unknown. The recording is made as an ordinary user, where homes come from policies and from asking the kernel for
# the nodes of pages (move_pages).
. "$(dirname "$0")/lib.sh"

on_guest <<'END'
need_user
cd /sys/kernel/mm/transparent_hugepage/khugepaged
echo 10 >scan_sleep_millisecs
echo 10 >alloc_sleep_millisecs
echo 100000 >pages_to_scan
cd ..
echo madvise >enabled
echo 1 >khugepaged/defrag
cd /
as_user run collapse --follow-interval=0 -- "$PROGRAMS/change" collapse
as_user run change -- "$PROGRAMS/change"
as_user run three --follow-interval=0 -- numactl --interleave=0-2 "$PROGRAMS/place" serial own 0.7
# preferred and not bound: what finds no room on node 3 goes to another node. If it were bound, the kernel would kill
# a process to make room, perhaps the shell of this script.
mkdir /var/tmp/fill
mount -t tmpfs -o mpol=prefer:3,size=100% fill /var/tmp/fill
# Without cached files on the node, the kernel cannot make room for the array by dropping them.
echo 3 >/proc/sys/vm/drop_caches
free=$(awk '/MemFree/ { print int($4 / 1024) }' /sys/devices/system/node/node3/meminfo)
dd if=/dev/zero of=/var/tmp/fill/all bs=1M count=$((free - 32)) status=none
as_user run full --follow-interval=0 -- numactl --preferred=3 "$PROGRAMS/place" serial own 0.7 64
as_user run followed -- numactl --preferred=3 "$PROGRAMS/place" serial own 0.7 64
rm /var/tmp/fill/all
chmod 1777 /var/tmp/fill
export free PROGRAMS
# between the readings of the node's free memory, which are before and after the recording, the node is full
as_user run filled --follow-interval=0 -- bash -c '
	dd if=/dev/zero of=/var/tmp/fill/all bs=1M count=$((free - 20)) status=none
	numactl --preferred=3 "$PROGRAMS/place" serial own 0.7 64
	rm /var/tmp/fill/all
	numactl --preferred=2 "$PROGRAMS/place" serial own 0.7'
END

# wrong: counts for each array the samples whose home is not the node that the kernel reported for
# the page.
wrong()
{
	sql "SELECT h.array, h.home_node_id, k.node, count(*) FROM hits h JOIN answers.homes k
		ON k.address = (h.address & ~4095) AND k.array = h.array AND k.pid = h.pid
		WHERE h.home_node_id <> k.node GROUP BY 1, 2, 3"
}

# The follower asks for the nodes of these pages now and then. If madvise() is called while it asks, homes are
# unknown until it asks again.
use collapse
assert_eq "collapse: homes that the kernel says otherwise" "" "$(wrong)"
assert_eq "most: homes, sizes" "1|2097152" "$(sql "
	SELECT DISTINCT coalesce(home_node_id, 'unknown'), page_bytes FROM hits WHERE array = 'most'")"
assert_eq "draw: sizes" 2097152 "$(sql "SELECT DISTINCT page_bytes FROM hits WHERE array = 'draw'")"
assert_ge "draw: percent with a home, as the tracker looks after the call" 99.9 "$(percent \
	"$(sql "SELECT count(*) FROM hits WHERE array = 'draw' AND home_node_id IS NOT NULL")" \
	"$(sql "SELECT count(*) FROM hits WHERE array = 'draw'")")"
use change
assert_eq "change: homes that the kernel says otherwise" "" "$(wrong)"
# how many there are depends on when khugepaged comes
assert_ge "small: samples with a home" 10 "$(sql "
	SELECT count(*) FROM hits WHERE array = 'small' AND home_node_id IS NOT NULL")"
assert_ge "large: samples" 20 "$(sql "SELECT count(*) FROM hits WHERE array = 'large'")"
assert_eq "large: samples with the size of small pages" 0 "$(sql "
	SELECT count(*) FROM hits WHERE array = 'large' AND page_bytes = 4096")"
assert_ge "there: samples" 100 "$(sql "SELECT count(*) FROM hits WHERE array = 'there'")"
assert_ge "there: samples with a home" 10 "$(sql "
	SELECT count(*) FROM hits WHERE array = 'there' AND home_node_id = 3")"

use three
assert_homes three 99.9
assert_eq "three: nodes of the array" "0 1 2" "$(sql "
	SELECT group_concat(node, ' ') FROM (SELECT DISTINCT node FROM answers.homes ORDER BY 1)")"

# pages_homes NODE: counts the first touches of the pages of all arrays that the kernel reports on this node, those
# with a home, and those with a wrong one.
pages_homes()
{
	sql "SELECT count(*), count(f.home_node_id), coalesce(sum(f.home_node_id <> k.node), 0)
		FROM answers.homes k JOIN threads t ON t.pid = k.pid AND t.tid = t.pid JOIN page_faults f ON f.thread_id = t.id
			AND f.address >= k.address AND f.address < k.address + 4096 AND f.first WHERE k.node = $1"
}

for how in full followed; do
	use $how
	assert_ge "$how: pages that found no room on their node" 100 "$(sql "
		SELECT count(*) FROM answers.homes WHERE node <> 3")"
	assert_homes $how 0
done

use filled
assert_ge "filled: pages that found no room on their node" 100 "$(sql "
	SELECT count(*) FROM answers.homes WHERE node NOT IN (2, 3)")"
assert_eq "filled: homes that the kernel says otherwise" "" "$(wrong)"
for node in 0 1 3; do
	assert_eq "filled: node $node: homes, wrong ones" "0|0" "$(pages_homes $node | cut -d '|' -f 2-)"
done
assert_ge "filled: homes on a node that had room" 2048 "$(pages_homes 2 | cut -d '|' -f 2)"
# a busy machine loses page faults, too
assert_ge "filled: page faults without a home, or lost, in losses" 16384 "$(sql "
	SELECT sum(count) FROM losses WHERE (what = 'page faults without a home' AND detail LIKE '%full%')
		OR (what = 'lost events' AND source = 'faults')")"
