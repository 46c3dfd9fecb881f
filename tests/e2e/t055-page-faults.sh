#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that page faults belong to the object whose pages they allocate, even if they happen inside malloc. If malloc
# returns memory to the kernel and requests it again, the kernel must allocate the pages each time, and the report's
# first screen says so, also if the program starts processes meanwhile. The kernel's time in the fault handler belongs to
# the object, too.
. "$(dirname "$0")/lib.sh"
need_perf
[ "$(cat /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null)" != "[always] madvise never" ] ||
	skip "huge pages are always on: one fault brings in 512 pages"
ldd "$PROGRAMS/churn" | grep -F libc.so.6 >/dev/null || skip "not the malloc of glibc"

of_blocks() # of_blocks COLUMN: prints this column of the object that has the most blocks
{
	sql "SELECT f.$1 FROM object_placement f JOIN objects o ON o.id = f.object_id WHERE o.kind = 'heap' ORDER BY o.allocations DESC LIMIT 1"
}

for how in trim map; do
	record --sampler=timer churn $how
	assert_sound
	all=$(($(value rounds) * $(value pages)))
	assert_ge "$how: first touches of the buffers" $((all * 99 / 100)) "$(of_blocks pages)"
	assert_le "$how: no more than were made" $((all + all / 100)) "$(of_blocks pages)"
	assert_ge "$how: their memory was placed so often" $(($(value rounds) * 9 / 10)) "$(of_blocks times)"
	if [ "$(sql "SELECT count(*) FROM dsos WHERE kind = 'kernel' AND state = 'ok'")" != 0 ] &&
		[ "$(sql "SELECT count(*) FROM samples WHERE addr_source = 5")" -ge 20 ]; then
		samples=$(sql "SELECT count(*) FROM samples WHERE addr_source = 5")
		assert_ge "$how: of $samples samples in page faults these are the buffers'" "$(least_of "$samples" 90)" "$(of_blocks fault_samples)"
		assert_eq "$how: samples in perf's own code" 0 "$(sql "
			SELECT count(*) FROM samples s JOIN symbols y ON y.id = s.symbol_id WHERE y.name GLOB 'perf_*'")"
		report=$("$MEMDB" report "$DB")
		assert_match "$how: the first screen" "page faults took .* freed, went back .* churn churn.c:[0-9]+, up to (3[5-9]|40) times" "$report"
		assert_match "$how: what ends it" "glibc.malloc.mmap_threshold=[0-9]+:glibc.malloc.trim_threshold=[0-9]+" "$report"
	fi
done

# A child of vfork() or posix_spawn() runs in the memory of its parent, so no fault of the parent copies a page.
for how in vfork spawn; do
	record --sampler=timer churn $how
	assert_sound
	assert_ge "$how: first touches of the buffers" $(($(value rounds) * $(value pages) * 98 / 100)) "$(of_blocks pages)"
done

# A child of fork() shares the pages, also if it is killed before it runs. So a later fault of the parent is no first touch.
record --sampler=timer churn killed
assert_sound
assert_le "killed: first touches of the buffers" $(($(value pages) * 102 / 100)) "$(of_blocks pages)"

# A user who may not sample the kernel has no samples in page faults (addr_source 5), which are deleted here. The report
# then gives the number of faults instead of their time.
record --sampler=timer churn trim
sqlite3 "$DB" "DELETE FROM kind_totals WHERE kind_id IN (SELECT id FROM access_kinds WHERE addr_source = 5);
	UPDATE dsos SET kind = 'file' WHERE kind = 'kernel'"
assert_match "trim: without kernel" "^-> 1[0-9]{5} page faults were for .* churn.c:.* nothing was sampled" "$("$MEMDB" report "$DB")"

record --sampler=timer churn keep
assert_le "keep: first touches of the buffers" $(($(value pages) * 102 / 100)) "$(of_blocks pages)"
assert_eq "keep: the first screen" "" "$("$MEMDB" report "$DB" | grep -F "went back" || true)"

record --sampler=timer churn small
assert_ge "small: pages of the rows, which malloc touches first" $(($(value row_pages) * 98 / 100)) "$(of_blocks pages)"
assert_eq "small: blocks whose first touch came before they were born" 0 "$(sql "
	SELECT count(*) FROM page_faults f JOIN objects o ON o.id = f.object_id WHERE o.kind = 'heap' AND f.first AND f.reused")"
