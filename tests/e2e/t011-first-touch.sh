#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that page faults show which thread first touched each page of two blocks.
. "$(dirname "$0")/lib.sh"
need_perf
[ "$(cat /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null)" != "[always] madvise never" ] ||
	skip "huge pages are always on: one fault brings in 512 pages"

record --sampler=timer first_touch
assert_sound

# One page of each array may be missing below: malloc writes a header before the block, so the thread that allocates
# may be the first to touch the first page.
pages=$(value pages)
for array in serial parallel; do
	assert_ge "pages of $array first touched by the right thread" $((pages - 1)) "$(sql "
		SELECT count(DISTINCT (f.address - a.address) / (SELECT number FROM answers.facts
			WHERE name = 'page_bytes'))
		FROM page_faults f JOIN threads t ON t.id = f.thread_id JOIN answers.arrays a
			ON a.pid = t.pid AND f.address >= a.address AND f.address < a.address + a.bytes
		WHERE a.name = '$array' AND t.tid = a.tid AND f.first")"
	assert_eq "faults of $array joined to another object" 1 "$(sql "
		SELECT count(DISTINCT f.object_id) FROM page_faults f JOIN threads t ON t.id = f.thread_id
		JOIN answers.arrays a ON a.pid = t.pid AND f.address >= a.address
			AND f.address < a.address + a.bytes
		WHERE a.name = '$array'")"
done
assert_le "pages first touched twice" 0 "$(sql "
	SELECT count(*) FROM (SELECT 1 FROM page_faults f JOIN threads t ON t.id = f.thread_id
	JOIN answers.arrays a ON a.pid = t.pid AND f.address >= a.address
		AND f.address < a.address + a.bytes
	WHERE f.first GROUP BY f.address / 4096 HAVING count(*) > 1)")"

# The report of each object says on which call path its pages were touched first.
for array in serial parallel; do
	case $array in serial) caller=main ;; *) caller=toucher ;; esac
	id=$(sql "SELECT DISTINCT f.object_id FROM page_faults f JOIN threads t ON t.id = f.thread_id JOIN answers.arrays a ON a.pid = t.pid AND f.address >= a.address
		AND f.address < a.address + a.bytes WHERE a.name = '$array'")
	"$MEMDB" report --object "$id" "$DB" >"$T/out"
	assert_ge "call paths that touched $array first" 1 "$(grep -c "^first touched by.*: touch_pages .*< $caller " "$T/out")"
done
