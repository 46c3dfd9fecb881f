#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that a recording with --max-size BYTES:all covers the entire run of the program. Only a part of the later small
# blocks is recorded, and their number is estimated; but the ends of all blocks recorded before are known. Each sample
# that is left also represents those that were removed, and the losses say what is missing.
. "$(dirname "$0")/lib.sh"
need_perf
command -v cc >/dev/null || skip "no C compiler"

# The program allocates 2 million blocks (48 MB of log), waits until the recorder requests that fewer be
# recorded, and allocates 2 million more. 10,000 blocks of 777 bytes live from the first part to the second.
cat >"$T/greedy.c" <<'SOURCE'
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static char *volatile block, *held[10000];
static void allocate(long n)
{
	while (n--) {
		block = malloc(100);
		free(block);
	}
}
int main(void)
{
	enum { EVERY_AT = 136 }; /* offsetof(struct track_shared, every) */
	char path[PATH_MAX];
	uint64_t every = 0;
	int fd;

	snprintf(path, sizeof(path), "%s/shared.log", getenv("MEMDB_TRACK_DIR"));
	fd = open(path, O_RDONLY);
	for (int i = 0; i < 10000; i++)
		held[i] = malloc(777);
	allocate(2000000);
	while (fd >= 0 && every < 2 && pread(fd, &every, sizeof(every), EVERY_AT) >= 0)
		usleep(1000);
	allocate(2000000);
	for (int i = 0; i < 10000; i++)
		free(held[i]);
	return 5;
}
SOURCE
cc -O1 -g -fno-builtin -o "$T/greedy" "$T/greedy.c"
ask() { sqlite3 "$DB" "$1"; }
code=0
"$MEMDB" record -q --keep --all-blocks --max-size=128M:all -o "$DB" -- "$T/greedy" 2>"$T/stderr" || code=$?
assert_eq "exit code" 5 "$code"
every=$(ask "SELECT sample_every FROM runs")
assert_ge "one in so many" 4 "$every"
assert_ge "the estimate" 3900000 "$(ask "SELECT sum(stands_for) FROM allocations WHERE size_bytes = 100")"
assert_le "the estimate" 4100000 "$(ask "SELECT sum(stands_for) FROM allocations WHERE size_bytes = 100")"
# a quarter of 128 MiB has room for 1.4 million blocks
assert_ge "blocks that were recorded before that" 1200000 "$(ask "SELECT sum(stands_for = 1) FROM allocations WHERE size_bytes = 100")"
assert_eq "blocks that live through the change" "10000|10000" \
	"$(ask "SELECT count(*), sum(end_reason = 'freed') FROM allocations WHERE size_bytes = 777")"
assert_eq "ends that fit no birth" 0 "$(ask "SELECT count(*) FROM losses WHERE source = 'tracker' AND what = 'deaths without birth'")"
assert_eq "the capture did not end early" 0 "$(ask "SELECT count(*) FROM losses WHERE what = 'ms at the end'")"
assert_eq "what the losses say" "$every" "$(ask "SELECT count FROM losses WHERE source = 'recording' AND what = 'small blocks for each recorded one'")"
assert_match "the report" "one in $every was followed in the end" "$("$MEMDB" report "$DB")"

echo "== samples are thinned while perf records; the rest counts for all of the CPU time"
cat >"$T/busy.c" <<'SOURCE'
#include "answer.h"
static volatile long count;
int main(void)
{
	struct budget left = budget_of(3000000000);

	while (budget_lasts(&left))
		for (int i = 0; i < 50000; i++)
			count++;
	return 0;
}
SOURCE
cc -O1 -g -w -D_GNU_SOURCE -I"$SRC/tests/programs" -o "$T/busy" "$T/busy.c"
# The kernel's symbols count, too. Some virtual machines cannot take many more samples a second: they lose a third of 20,000.
size=$((4 + $(wc -c </proc/kallsyms) / 1000000))M
"$MEMDB" record -q --no-faults -F 10000 --max-size=$size:all -o "$DB" -- "$T/busy" 2>"$T/stderr" || fail "it ends with $?"
assert_ge "samples that were removed" 1000 "$(ask "SELECT coalesce(max(count), 0) FROM losses WHERE what = 'thinned samples'")"
assert_ge "ms of CPU time" 2300 "$(ask "SELECT CAST(total(estimate) / 1e6 AS INTEGER) FROM access_samples")"
assert_le "ms of CPU time" 3900 "$(ask "SELECT CAST(total(estimate) / 1e6 AS INTEGER) FROM access_samples")"
assert_match "it takes no tracepoints" 'would remove events of --trace' "$("$MEMDB" record --max-size=1G:all --trace=sched true 2>&1 || true)"

echo "== an import of thinned samples: each counts fourfold"
"$MEMDB" record -q --no-track --raw="$T/c" -- "$T/greedy" 2>/dev/null || true
"$MEMDB" import -q -o "$T/one.db" "$T/c"
sed -i '0,/{/s//{ "thinned": { "samples": 4, "removed_samples": 30, "blocks": 1, "removed_faults": 20 },/' "$T/c/capture.json"
"$MEMDB" import -q -o "$T/four.db" "$T/c"
sum() { sqlite3 "$T/$1.db" "SELECT $2 * sum(period), count(*) FROM samples"; }
assert_eq "sum of the periods, number of samples" "$(sum one 4)" "$(sum four 1)"
assert_eq "sum of the cells" "$(sqlite3 "$T/one.db" "SELECT 4 * sum(period) FROM sample_cells")" \
	"$(sqlite3 "$T/four.db" "SELECT sum(period) FROM sample_cells")"
assert_eq "losses" "20|30" "$(sqlite3 "$T/four.db" "SELECT (SELECT count FROM losses WHERE what = 'thinned page faults'), (SELECT count FROM losses WHERE what = 'thinned samples')")"
for wrong in x 0 1M: 1M:some :all; do
	code=0
	"$MEMDB" record --max-size="$wrong" true 2>"$T/stderr" || code=$?
	assert_eq "exit code of --max-size=$wrong" 2 "$code"
done
