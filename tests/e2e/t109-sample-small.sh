#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that with --sample-small, the numbers of small blocks are estimates (correct within five standard deviations)
# and those of large blocks are exact. Database and report say which numbers are estimates.
. "$(dirname "$0")/lib.sh"
need_perf

# 10:8k means that one in ten of the blocks below 8 KiB ("small") is recorded. The program's blocks of 7777 bytes
# are small.
record --all-blocks --sampler=timer --sample-small=10:8k count_blocks
assert_sound
blocks=$(value blocks) bytes=$(value bytes)
assert_eq "what the run says" "10|8192" "$(sql "SELECT sample_every, sample_bytes FROM runs")"
assert_ge "the estimate" $((blocks - 1500)) "$(sql "SELECT sum(stands_for) FROM allocations WHERE size_bytes = $bytes")"
assert_le "the estimate" $((blocks + 1500)) "$(sql "SELECT sum(stands_for) FROM allocations WHERE size_bytes = $bytes")"
assert_eq "how many each stands for" 10 "$(sql "SELECT DISTINCT stands_for FROM allocations WHERE size_bytes = $bytes")"
assert_eq "ends that fit no birth" 0 "$(sql "SELECT count(*) FROM losses WHERE source = 'tracker' AND what LIKE '%unknown%'")"
assert_eq "objects whose number is not the sum of its blocks" 0 "$(sql "
	SELECT count(*) FROM objects o WHERE kind = 'heap' AND (allocations, allocated_bytes, estimated) IS NOT
		(SELECT sum(stands_for), sum(stands_for * size_bytes), max(stands_for) > 1 FROM allocations WHERE object_id = o.id)")"
assert_match "the report" "below 8192 bytes one in 10 was followed" "$("$MEMDB" report "$DB")"

# Without ":8k", only blocks below 4096 bytes are small, so all blocks of 7777 bytes are recorded.
record --all-blocks --sampler=timer --sample-small=10 count_blocks
assert_eq "large blocks" "$blocks|$blocks" "$(sql "SELECT count(*), sum(stands_for) FROM allocations WHERE size_bytes = $bytes")"
assert_eq "freed" "$(value freed)" "$(sql "
	SELECT count(*) FROM allocations WHERE size_bytes = $bytes AND end_reason = 'freed'")"
assert_eq "the default of what is small" 4096 "$(sql "SELECT sample_bytes FROM runs")"

# --sample-small=1 records each small block, so nothing is estimated.
record --all-blocks --sampler=timer --sample-small=1 count_blocks
assert_eq "one in one is no estimate" "0|" "$(sql "SELECT max(estimated), (SELECT sample_every FROM runs) FROM objects")"
for wrong in 0 x 70000 10: 10:x -3; do
	code=0
	"$MEMDB" record --sample-small="$wrong" true 2>"$T/stderr" || code=$?
	assert_eq "exit code of --sample-small=$wrong" 2 "$code"
done
