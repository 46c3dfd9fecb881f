#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that memdb classifies how two threads share cache lines: writes to different words of one line are false
# sharing, writes to one word are true sharing, and writes to different lines are no sharing.
. "$(dirname "$0")/lib.sh"
need_perf
[ "$(nproc)" -ge 2 ] || skip "one CPU: its threads share its caches, and no lines between them"

record --sampler=timer sharing

assert_eq "kinds of sharing" "counter|true|2|2
packed|false|2|2" "$(sql "
	SELECT o.name, l.sharing, l.threads, l.writers FROM shared_lines l JOIN objects o ON o.id = l.object_id
	WHERE o.name IN ('packed', 'padded', 'counter') AND l.together ORDER BY 1")"
for name in packed padded counter; do
	assert_ge "samples of $name" 20 "$(sql "
		SELECT sum(addressed) FROM object_costs WHERE object = '$name'")"
done
assert_eq "every access of packed and counter is to a shared line" "counter|100.0
packed|100.0" "$(sql "
	SELECT o.name, round(s.share_pct, 1) FROM object_sharing s JOIN objects o ON o.id = s.object_id
	WHERE o.name IN ('packed', 'padded', 'counter') ORDER BY 1")"
assert_match "the query" '^ *[0-9]+ +counter +[0-9a-f]+ +true ' "$("$MEMDB" query sharing "$DB")"
assert_match "the hint" '^-> packed: threads write to different bytes of the same cache lines \(1, by up to 2 threads\)' \
	"$("$MEMDB" report "$DB")"
assert_match "the hint of the query" '^packed .* keep what each thread writes 64 bytes apart$' \
	"$("$MEMDB" query costs "$DB" | sed 's/^ *[0-9]* *//')"
assert_eq "homes on a machine with one node are never remote" "" "$(sql "
	SELECT 1 FROM run_costs WHERE remote > 0 AND (SELECT count(*) FROM nodes) = 1")"
# The class of a sample may be unknown if memdb knows only its object but no address (addr_source 9).
assert_eq "on a machine with one node nothing is left to chance" "" "$(sql "
	SELECT memory, class, samples, (SELECT count(*) FROM samples WHERE addr_source = 9) FROM pinning
	WHERE scope = 'run' AND class <> 'local' AND (SELECT count(*) FROM nodes) = 1
		AND NOT (class = 'unknown' AND samples <= (SELECT count(*) FROM samples WHERE addr_source = 9))")"
