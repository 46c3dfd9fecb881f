#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that the report's summary says what is known and what is unknown, with the numbers of the database.
. "$(dirname "$0")/lib.sh"
need_perf

echo "== a list whose loads overwrite their address, in one of two blocks"
record --sampler=timer mixed 1
report=$("$MEMDB" report "$DB")
assert_match "the row of what is not known" '^ *(- +)?[0-9.]+ % .*\[address is gone\]' "$report"
assert_match "the headline" 'at accesses whose address is gone afterwards \(object not known\)' "$report"
assert_match "the hint" '^-> [0-9]+ % of the waiting is for objects that are not known, .*, most of it at .*walk_both' "$report"
lost=$(sql "SELECT lost_cost_pct FROM run_costs")
assert_near "its share" "$lost" "$(awk '/\[address is gone\]/ { print $1 == "-" ? $2 : $1 }' <<<"$report")" 0.0501
assert_ge "which is most" 50 "$lost"

echo "== shares of all objects and of the unknown make 100"
# the table of objects is between the second and the third empty line; it has no ids if no object has as much as 1 %
whole=$(awk '/^$/ { n++ } n == 2 && $1 ~ /^([0-9.]+|-)$/ { s += $1 == "-" || $2 != "%" ? $2 : $1 } END { print s }' <<<"$report")
assert_ge "sum" 95 "$whole"
assert_le "sum" 100.5 "$whole"

echo "== a line each, which fits 100 columns, with how and by whom each object is used"
record private_halves 0.3
report=$("$MEMDB" report "$DB")
assert_eq "rows of tables that are longer" "" "$(awk '/^ *([0-9]+|-) .*%/ { gsub(/…/, "."); if (length > 100) print }' <<<"$report")"
assert_match "the columns" '^id +cost +95 % .*threads +pattern .*object +placed by' "$report"
assert_eq "the pattern of the array" "$(sql "SELECT pattern FROM object_patterns JOIN object_costs USING (object_id)
	WHERE kind = 'heap' ORDER BY cost DESC LIMIT 1")" blocks

echo "== without the kernel, thread time is that of user mode"
record --sampler=timer --no-kernel mixed 0.3
assert_match "the verdict" '^[^:]*: .* of the thread time in user mode ' "$("$MEMDB" report "$DB" | sed '1,/^$/d' | head -n 1)"
assert_eq "the loss" "perf|kernel mode|1" "$(sql "SELECT source, what, count FROM losses WHERE what = 'kernel mode'")"

echo "== cycles are no time, and no registers are no zero"
perf record -q -e cycles:u -o "$T/plain.data" -- "$PROGRAMS/chase" 0.3 >/dev/null 2>&1 ||
	perf record -q -e cpu-clock:u -o "$T/plain.data" -- "$PROGRAMS/chase" 0.3 >/dev/null 2>&1
"$MEMDB" import -q -o "$T/plain.db" "$T/plain.data"
report=$("$MEMDB" report "$T/plain.db")
assert_match "the hint" '^-> no sample has a data address' "$report"
! grep -qE 's thread time|[^0-9.]0\.0 % +[0-9]' <<<"$report" || fail "a share of nothing: $report"
assert_match "the lines are there by samples" '^ +[0-9]+ +[a-z_]+ ' "$report"

if perf record -q -d -e cpu-clock:k -o "$T/kernel.data" -- dd if=/dev/zero of=/dev/null bs=1M count=3000 >"$T/out" 2>&1; then
	echo "== samples in the kernel need no registers"
	"$MEMDB" import -q -o "$T/kernel.db" "$T/kernel.data"
	report=$("$MEMDB" report "$T/kernel.db")
	assert_ge "samples" 1 "$(sqlite3 "$T/kernel.db" "SELECT count(*) FROM samples")"
	! grep 'no sample has a data address' <<<"$report" || fail "advice about registers"
fi

echo "== wrong databases"
for file in "$T/none.db" /etc/passwd; do
	code=0
	"$MEMDB" report "$file" >"$T/out" 2>"$T/stderr" || code=$?
	assert_eq "exit code" 1 "$code"
	assert_eq "sentences" 1 "$(wc -l <"$T/stderr")"
	assert_eq "output" 0 "$(wc -c <"$T/out")"
done
