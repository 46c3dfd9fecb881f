#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that each option of memdb record has the documented effect.
. "$(dirname "$0")/lib.sh"
need_perf

echo "== a number out of range is refused with the range"
# refuses OPTION RANGE: checks that memdb refuses OPTION, whose value is outside RANGE, with a message
# that names RANGE.
refuses()
{
	local code=0

	"$MEMDB" record -q "$1" -o "$DB" -- true >"$T/stdout" 2>"$T/stderr" || code=$?
	assert_eq "exit code of $1" 2 "$code"
	assert_match "the message about $1" "$2" "$(cat "$T/stderr")"
	[ ! -e "$DB" ] || fail "$1 was taken"
}
refuses --ldlat=65536 "'65536' is not from 0 to 65535"
refuses --ldlat=-1 "'-1' is not from 0 to 65535"
refuses --ldlat=99999999999999999999 "is not from 0 to 65535"
refuses -F0 "'0' is not from 1 to 1000000000"
refuses -F1000000001 "is not from 1 to 1000000000"
refuses -c0 "is not from 1 to 9223372036854775807"
refuses -c9223372036854775808 "is not from 1 to 9223372036854775807"
refuses --min-size=999999999G "is not from 0 to 144115188075855872"
refuses --min-size=20000000000G "is not from 0 to 144115188075855872"
refuses --sample-small=0 "is not from 1 to"
refuses --sample-small=4294967297 "is not from 1 to"
refuses --sample-small=10:0 "is not from 1 to"
refuses --follow-interval=0.001 "is neither 0 nor from 0.01 to 86400"
refuses --follow-interval=-1 "is neither 0 nor from 0.01 to 86400"
refuses --follow-interval=nan "is neither 0 nor from 0.01 to 86400"

echo "== --no-faults"
record --no-faults hot 0.2
assert_eq "page faults" 0 "$(sql "SELECT count(*) FROM page_faults")"

echo "== --no-track"
record --no-track hot 0.2
assert_eq "allocations" 0 "$(sql "SELECT count(*) FROM allocations")"
assert_sound

echo "== --min-size"
record --min-size=1048576 hot 0.2
assert_eq "small blocks" 0 "$(sql "SELECT count(*) FROM allocations WHERE size_bytes < 1048576")"
assert_eq "big blocks" 3 "$(sql "
	SELECT count(*) FROM allocations b JOIN answers.arrays a ON a.address = b.address_start")"

echo "== -F: the distance of the samples follows the frequency"
record --sampler=timer -F200 hot 1
assert_eq "what a sample stands for, ns" 5000000 "$(sql "SELECT DISTINCT period FROM samples")"
# The upper limit is exact, the lower one is loose: a virtual machine that is paused at times takes
# fewer samples.
assert_ge "samples" 60 "$(sql "SELECT count(*) FROM samples")"
assert_le "samples" "$(sql "SELECT (end_ns - start_ns) / 5000000 + 1 FROM runs")" "$(sql "SELECT count(*) FROM samples")"

echo "== --call-graph"
for mode in none fp dwarf; do
	record --sampler=timer --call-graph=$mode hot_frames 0.3
	assert_sound
	depth=$(sql "SELECT max(c.depth) FROM samples s JOIN call_paths c ON c.id = s.call_path_id
		WHERE s.symbol_id IN (SELECT id FROM symbols WHERE name = 'hot_loop')")
	case $mode in
	none) assert_le "depth with $mode" 1 "${depth:-0}" ;;
	*) assert_ge "depth with $mode" 3 "$depth" ;;
	esac
done

if "$MEMDB" record --sampler=timer --call-graph=lbr -o "$T/lbr.db" -- true 2>"$T/stderr"; then
	fail "the timer recorded branches"
fi
assert_match "the message about lbr" "sampler timer has no branch records" "$(cat "$T/stderr")"

echo "== -v prints the perf command"
"$MEMDB" record -v -o "$DB" -- true >"$T/stdout" 2>"$T/stderr"
assert_match "it" "perf record .*-d.*-W.*-g.*-k CLOCK_MONOTONIC" "$(cat "$T/stderr")"

echo "== without -q there is a ranked summary"
"$MEMDB" record -F 1000 --sampler=timer -o "$DB" -- "$PROGRAMS/hot" 0.5 >"$T/stdout" 2>"$T/stderr"
assert_match "it" "make_gather|gather" "$(cat "$T/stdout" "$T/stderr")"

echo "== more samples than the kernel allows are not taken in silence"
limit=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
if [ "$limit" -lt 100000 ]; then
	"$MEMDB" record -F 100000 --sampler=timer -o "$DB" -- true >"$T/stdout" 2>"$T/stderr"
	# read again: the kernel sometimes lowers this limit by itself, so the message may have the old value
	# or the new one
	limit="($limit|$(cat /proc/sys/kernel/perf_event_max_sample_rate))"
	assert_match "the warning" "100000 samples a second are more than .* allows \($limit\)" "$(cat "$T/stderr")"
fi
