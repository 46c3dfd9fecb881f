#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that memdb imports a perf.data that the user recorded with perf itself, without the tracker.
. "$(dirname "$0")/lib.sh"
need_perf

perf record -q -e cpu-clock -F 1000 -d -W -g --sample-cpu -k CLOCK_MONOTONIC -o "$T/perf.data" \
	"$PROGRAMS/hot" 0.5 >"$T/stdout" 2>"$T/stderr"
read_answers "$T/stdout"
"$MEMDB" import -q -o "$DB" "$T/perf.data" 2>"$T/stderr"
assert_sound
assert_eq "samples" "$(perf script -i "$T/perf.data" -G -F ip 2>/dev/null | grep -c .)" \
	"$(sql "SELECT (SELECT count(*) FROM samples) + (SELECT coalesce(sum(count), 0) FROM losses WHERE what = 'samples in perf')")"
assert_ge "samples in hot_loop" 200 "$(sql "SELECT count(*) FROM samples
	WHERE symbol_id IN (SELECT id FROM symbols WHERE name = 'hot_loop')")"
assert_eq "allocations" 0 "$(sql "SELECT count(*) FROM allocations")"

echo "== without call chains, CPU or a known clock, from a pipe"
perf record -q -e cpu-clock -F 1000 -o - -- sh -c "'$PROGRAMS/hot' 0.3 >/dev/null" >"$T/pipe.data" \
	2>"$T/stderr"
"$MEMDB" import -q -o "$DB" "$T/pipe.data" 2>"$T/stderr"
assert_sound
assert_ge "samples in hot_loop" 100 "$(sql "SELECT count(*) FROM samples
	WHERE symbol_id IN (SELECT id FROM symbols WHERE name = 'hot_loop')")"

echo "== by the commands of the help, as they stand there"
"$MEMDB" import --help >"$T/help"
tracker=$("$MEMDB" doctor | awk '$1 == "tracker" { print $2 }')
sed -n '/^  perf record/,/^  memdb import/p; /^  mkdir/p' "$T/help" | sed "s|TRACKER|$tracker|" >"$T/all"
awk '/^  memdb import perf.data/ { print; exit } 1' "$T/all" >"$T/plain"
awk 'seen; /^  memdb import perf.data/ { seen = 1 }' "$T/all" >"$T/tracked"
cp "$PROGRAMS/hot" "$T/app"

# by_hand FILE: runs the commands in FILE, taken from memdb's help. They record with perf and
# import into $DB.
by_hand()
{
	rm -f "$DB"
	(cd "$T" && { echo "memdb() { \"$MEMDB\" \"\$@\"; }" && cat "$1"; } | sh -e) >"$T/stdout" 2>"$T/stderr" ||
		fail "these commands: $(cat "$1")"
	assert_sound
	assert_ge "samples with an address" 300 "$(sql "SELECT count(*) FROM samples WHERE address IS NOT NULL")"
	assert_ge "page faults" 10 "$(sql "SELECT count(*) FROM page_faults")"
}

by_hand "$T/plain"
assert_eq "allocations" 0 "$(sql "SELECT count(*) FROM allocations")"
by_hand "$T/tracked"
assert_ge "allocations" 3 "$(sql "SELECT count(*) FROM allocations")"
assert_ge "samples in the heap" 200 "$(sql "SELECT count(*) FROM samples
	WHERE object_id IN (SELECT id FROM objects WHERE kind = 'heap')")"
