#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that one capture gives the same answers whether the database stores all blocks or only those that matter.
. "$(dirname "$0")/lib.sh"
need_perf

record --keep --sampler=timer kept
assert_sound
all=$T/all.db
"$MEMDB" import -q --check --all-blocks -o "$all" "$DB.capture"
"$MEMDB" import -q --keep-blocks 100 -o "$T/hundred.db" "$DB.capture"

# of DATABASE QUERY: prints the rows of an SQL query on DATABASE.
of()
{
	sqlite3 -batch -bail "$1" "$2"
}

echo "== pages that memdb writes have the rows that SQLite inserts"
"$MEMDB" import -q --force --check --sqlite-inserts -o "$T/inserts.db" "$DB.capture"
assert_eq "rows that differ" "" "$(diff <(sqlite3 "$DB" .dump) <(sqlite3 "$T/inserts.db" .dump) | awk "NR <= 5")"

echo "== what is stored"
small="size_bytes = $(value small_bytes)"
assert_eq "all small blocks" "$(value small)" "$(of "$all" "SELECT count(*) FROM allocations WHERE $small")"
assert_le "small blocks that something hit: the first on each page, and a few more" $(($(value small) / 10)) "$(sql "SELECT count(*) FROM allocations WHERE $small")"
assert_eq "blocks of 100 bytes and more" "$(value small)" "$(of "$T/hundred.db" "SELECT count(*) FROM allocations WHERE $small")"
large="size_bytes = $(value large_bytes)"
assert_eq "all large blocks" "$(value temporary)" "$(of "$all" "SELECT count(*) FROM allocations WHERE $large")"
assert_eq "large blocks with --keep-blocks" "$(value temporary)" "$(of "$T/hundred.db" "SELECT count(*) FROM allocations WHERE $large")"
assert_ge "large blocks: the first ones" 10000 "$(sql "SELECT count(*) FROM allocations WHERE $large")"
assert_le "large blocks: the first ones, and those that something hit" 10100 "$(sql "SELECT count(*) FROM allocations WHERE $large")"
assert_eq "blocks never freed" "$(value left)" "$(sql "
	SELECT count(*) FROM allocations WHERE size_bytes = $(value left_bytes) AND end_reason = 'process end'")"
assert_ge "blocks hit in the child" 50 "$(sql "
	SELECT count(DISTINCT h.allocation_id) FROM samples h JOIN threads t ON t.id = h.thread_id
	JOIN allocations a ON a.id = h.allocation_id
	WHERE a.process_id <> t.process_id AND a.size_bytes = $(value node_bytes) AND a.end_reason = 'freed'")"
assert_eq "rows that differ" "" "$(sql "
	ATTACH '$all' AS whole;
	SELECT * FROM (SELECT id, object_id, process_id, thread_id, end_thread_id, function, time, end_time, address_start,
		address_end, size_bytes, call_path_id, end_call_path_id, end_reason FROM allocations
		EXCEPT SELECT id, object_id, process_id, thread_id, end_thread_id, function, time, end_time, address_start,
		address_end, size_bytes, call_path_id, end_call_path_id, end_reason FROM whole.allocations) LIMIT 3")"
assert_eq "blocks hit, large or never freed without a row" "" "$(sql "
	ATTACH '$all' AS whole;
	SELECT id FROM whole.allocations WHERE (size_bytes >= 4096 AND NOT $large OR id IN (SELECT allocation_id FROM whole.samples)
		OR id IN (SELECT allocation_id FROM whole.page_faults)) AND id NOT IN (SELECT id FROM allocations) LIMIT 3")"

echo "== what is counted"
assert_eq "small blocks freed by the other thread" "$(value small)|$(($(value small) * $(value small_bytes)))" "$(sql "
	SELECT sum(blocks), sum(bytes) FROM block_cells WHERE object_id IN (SELECT object_id FROM allocations WHERE $small)
		AND size_bits = 7 AND end_reason = 'freed' AND end_thread_id <> thread_id")"
cells="SELECT object_id, thread_id, end_thread_id, size_bits, life_bits, end_reason, hit, sum(blocks), sum(bytes)
	FROM block_cells GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7"
assert_eq "all blocks" "$(of "$all" "$cells")" "$(sql "$cells")"
assert_eq "the counts and the rows" "" "$(of "$all" "
	SELECT object_id, end_reason, end_thread_id, sum(stands_for), sum(size_bytes * stands_for) FROM allocations GROUP BY 1, 2, 3
	EXCEPT SELECT object_id, end_reason, end_thread_id, sum(blocks), sum(bytes) FROM block_cells GROUP BY 1, 2, 3")"
assert_eq "objects whose blocks are not all counted" "" "$(sql "
	SELECT id FROM objects o WHERE call_path_id IS NOT NULL AND (allocations, allocated_bytes) IS NOT
		(SELECT sum(blocks), sum(bytes) FROM block_cells WHERE object_id = o.id)")"

# The view moves compares the CPUs of successive stored allocations, so it shows more moves if more of them are stored.
echo "== every other view and query"
for view in objects samples page_faults $(of "$DB" "SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name"); do
	[ "$view" != moves ] || continue
	of "$DB" "SELECT * FROM $view" >"$T/some"
	of "$all" "SELECT * FROM $view" >"$T/all"
	cmp "$T/some" "$T/all" || fail "view $view"
done
block=$(sql "SELECT min(allocation_id) FROM samples")
for query in "$SRC"/queries/*.sql; do
	query=$(basename "$query" .sql)
	case $query in
	moves) continue ;;
	annotate) args=(function=use) ;;
	call_stack) args=("allocation=$block") ;;
	bins) args=("object=$(sql "SELECT object_id FROM allocations WHERE id = $block")") ;;
	costs) args=(by=allocation) ;;
	*) args=() ;;
	esac
	"$MEMDB" query "$query" "${args[@]}" "$DB" >"$T/some"
	"$MEMDB" query "$query" "${args[@]}" "$all" >"$T/all"
	cmp "$T/some" "$T/all" || fail "query $query"
done
"$MEMDB" report "$DB" | sed "s|$DB||g" >"$T/some"
"$MEMDB" report "$all" | sed "s|$all||g" >"$T/all"
cmp "$T/some" "$T/all" || fail "the report"
