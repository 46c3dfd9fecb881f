#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that memdb finds the addresses of a program built without optimization, whose code loads each pointer from the
# stack frame and overwrites it: the pointer is still in the register of the parameter. So memdb sees false sharing.
. "$(dirname "$0")/lib.sh"
need_perf

record --sampler=timer totals
assert_ge "samples of add_up with an address, in percent" 40 "$(sql "
	SELECT round(100.0 * sum(address_source IN ('retired', 'earlier', 'recovered')) / count(*)) FROM access_samples WHERE symbol = 'add_up'")"
assert_eq "each thread accesses its own struct of 32 bytes" "1 0 1" "$(sql "
	SELECT max(structs) || ' ' || min(lowest) || ' ' || max(highest) FROM (
		SELECT count(DISTINCT object_offset / 32) AS structs, min(object_offset / 32) AS lowest, max(object_offset / 32) AS highest
		FROM access_samples WHERE symbol = 'add_up' AND object = 'memory' AND address_source IN ('retired', 'earlier', 'recovered') GROUP BY tid)")"
assert_ge "addresses of copies" 1 "$(sql "SELECT count(*) FROM access_samples WHERE symbol = 'add_up' AND address_source = 'recovered'")"
if [ "$(nproc)" -ge 2 ]; then
	assert_eq "kind of sharing" "memory|false sharing|2|2" "$(sql "
		SELECT o.name, l.sharing, l.threads, l.writers FROM shared_lines l JOIN objects o ON o.id = l.object_id WHERE o.name = 'memory' AND l.together")"
fi
before=$(value rounds)

record --sampler=timer totals apart
assert_eq "shared lines if the structs are apart" 0 "$(sql "
	SELECT count(*) FROM shared_lines l JOIN objects o ON o.id = l.object_id WHERE o.name = 'memory' AND l.together")"
echo "rounds in the same CPU time: $before in one line, $(value rounds) in two"
