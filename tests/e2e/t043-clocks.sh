#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that samples are joined to the blocks that were alive at their time, with each clock that perf supports.
. "$(dirname "$0")/lib.sh"
need_perf

tracker=$("$MEMDB" doctor | awk '$1 == "tracker" { print $2 }')
registers=$("$MEMDB" import --help | grep -o 'user-regs=[a-z0-9,]*' | sort -u)

# by_clock [-k CLOCK]: records realloc_reuse with perf, which uses this clock, and with the tracker.
by_clock()
{
	rm -rf "$T/track"
	mkdir "$T/track"
	began=$(date +%s)
	perf record -q "$@" -d -W -g --sample-cpu "--$registers" -e cpu-clock/period=1000000/ \
		-o "$T/perf.data" sh -c "exec env MEMDB_TRACK_DIR=\"$T/track\" LD_PRELOAD=\"$tracker\" \
			\"$PROGRAMS/realloc_reuse\" 0.2 >\"$T/stdout\"" 2>"$T/stderr" || return 1
	read_answers "$T/stdout"
	"$MEMDB" import -q --alloc "$T/track" -o "$DB" "$T/perf.data"
	assert_sound
}

for clock in monotonic_raw realtime boottime tai monotonic; do
	echo "== $clock"
	by_clock -k "$clock" || skip "perf cannot record by $clock: $(head -n 1 "$T/stderr")"
	assert_eq "clock" "monotonic|$clock" "$(sql "SELECT clock, recorded_clock FROM runs")"
	assert_eq "converted" "$([ "$clock" = monotonic ] && echo 0 || echo 1)" \
		"$(sql "SELECT clock_conversion IS NOT NULL FROM runs")"
	assert_ge "samples while arrays were worked on" 200 "$(sql "SELECT count(*) FROM hits")"
	assert_hits_joined
	assert_all_hit
	# Whichever clock perf used for the samples, it also stored the wall-clock time at which the recording began.
	started=$(sql "SELECT started_realtime_ns / 1000000000 FROM runs")
	assert_ge "when it began" $((began - 1)) "$started"
	assert_le "when it began" "$(date +%s)" "$started"
done

echo "== the kernel's own clock"
by_clock || fail "perf does not record"
perf script -i "$T/perf.data" -D 2>/dev/null | grep -o PERF_RECORD_TIME_CONV >"$T/conversions" || true
if [ -s "$T/conversions" ]; then
	assert_eq "clock" "monotonic|perf" "$(sql "SELECT clock, recorded_clock FROM runs")"
	assert_hits_joined
	assert_all_hit
else
	assert_eq "clock" "perf|perf" "$(sql "SELECT clock, recorded_clock FROM runs")"
	assert_eq "allocations" 0 "$(sql "SELECT count(*) FROM allocations")"
	assert_match "the reason" "record with -k CLOCK_MONOTONIC" \
		"$(sql "SELECT detail FROM losses WHERE what = 'joins refused'")"
fi
