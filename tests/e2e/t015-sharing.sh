#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that memdb classifies how two threads share cache lines: writes to different words of one line are false
# sharing, writes to one word are true sharing, and writes to different lines are neither. The layout that it suggests
# for a struct ends the false sharing.
. "$(dirname "$0")/lib.sh"
need_perf
[ "$(nproc)" -ge 2 ] || skip "one CPU: its threads share its caches, and no lines between them"

record --sampler=timer sharing

assert_eq "kinds of sharing" "counter|true sharing|2|2
packed|false sharing|2|2
sums|false sharing|2|2" "$(sql "
	SELECT o.name, l.sharing, l.threads, l.writers FROM shared_lines l JOIN objects o ON o.id = l.object_id
	WHERE o.name IN ('packed', 'padded', 'counter', 'sums') AND l.together ORDER BY 1")"
for name in packed padded counter sums; do
	assert_ge "samples of $name" 20 "$(sql "
		SELECT sum(addressed) FROM object_costs WHERE object = '$name'")"
done
assert_eq "every access of packed, counter and sums is to a shared line" "counter|100.0
packed|100.0
sums|100.0" "$(sql "
	SELECT o.name, round(s.share_pct, 1) FROM object_sharing s JOIN objects o ON o.id = s.object_id
	WHERE o.name IN ('packed', 'padded', 'counter', 'sums') ORDER BY 1")"
assert_match "the query" '^ *[0-9]+ +counter +[0-9a-f]+ +true sharing ' "$("$MEMDB" query sharing "$DB")"
assert_match "the hint" '^-> packed \(id [0-9]+, [0-9.]+ % of the cost\): threads write to different bytes of the same cache lines \(1, by up to 2 threads\)' \
	"$("$MEMDB" report "$DB")"
assert_match "the hint of the query" '^packed .* keep what each thread writes 64 bytes apart$' \
	"$("$MEMDB" query costs "$DB" | sed 's/^ *[0-9]* *//')"
assert_eq "homes on a machine with one node are never remote" "" "$(sql "
	SELECT 1 FROM run_costs WHERE remote > 0 AND (SELECT count(*) FROM nodes) = 1")"
# If memdb knows only the object of a sample but no address (addr_source 9), the class of the sample may be unknown.
assert_eq "on a machine with one node nothing is left to chance" "" "$(sql "
	SELECT memory, class, samples, (SELECT count(*) FROM samples WHERE addr_source = 9) FROM pinning
	WHERE scope = 'run' AND class <> 'local' AND (SELECT count(*) FROM nodes) = 1
		AND NOT (class = 'unknown' AND samples <= (SELECT count(*) FROM samples WHERE addr_source = 9))")"

# members: prints the members of the suggested layout of `ring` as a declaration.
members() { "$MEMDB" query layout "$DB" object=ring --format csv | awk -F, 'NR > 1 { sub(/[^ ]*$/, $8 " &", $7); printf "%s; ", $7 }'; }
falsely() { sql "SELECT count(*) FROM shared_lines l JOIN objects o ON o.id = l.object_id WHERE o.name = 'ring' AND l.together AND l.writers > 0"; }

assert_eq "lines of ring that threads share" 1 "$(falsely)"
assert_eq "each thread's member and what both read get lines of their own" "head 1|limit 1|tail 1" "$(sql "
	SELECT group_concat(member || ' ' || members, '|') FROM (
		SELECT member, (SELECT count(*) FROM object_layouts b WHERE b.object = 'ring' AND b.new_offset / 64 = a.new_offset / 64 AND b.member <> 'name') AS members
		FROM object_layouts a WHERE object = 'ring' AND member <> 'name' ORDER BY member)")"
assert_match "the layout in the report" '^ +[0-9]+ +16 +8 +alignas\(64\) tail ' "$("$MEMDB" report --object ring "$DB")"
before=$(awk '/^value rounds/ { print $3 }' "$T/stdout")
layout=$(members)
gcc -O2 -g -w -D_GNU_SOURCE -pthread -I"$SRC/tests/programs" -DRING="$layout" -o "$T/apart" "$SRC/tests/programs/sharing.c" || fail "cannot compile '$layout'"
record --sampler=timer "$T/apart"
assert_eq "shared lines of ring with this layout: $layout" 0 "$(falsely)"
assert_eq "another layout" "" "$("$MEMDB" query layout "$DB" object=ring --format csv 2>"$T/stderr" | tail -n +2)"
echo "increments in the same CPU time: $before before, $(awk '/^value rounds/ { print $3 }' "$T/stdout") with the new layout"
