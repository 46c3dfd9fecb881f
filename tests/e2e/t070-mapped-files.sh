#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that mapped files and memory with a name show this name in every answer: after the variable or, if the source
# shows no variable, instead of the code that maps them; and that each file is an object of its own.
. "$(dirname "$0")/lib.sh"
need_perf

cat >"$T/mapped.c" <<'EOF'
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "answer.h"

enum { BYTES = 4 << 20 };

static long *map(int file, int prot, int flags)
{
	if (file >= 0 && prot & PROT_WRITE && ftruncate(file, BYTES))
		exit(1);
	return mmap(NULL, BYTES, prot, flags, file, 0);
}

/* Accesses the memory for 40 ms of CPU time, and prints its addresses. */
static long use(const char *name, long *at, int write)
{
	const int64_t from = now_ns(), end = cpu_ns() + 40000000;
	unsigned long place = 1;
	long sum = 0;

	if (at == MAP_FAILED) /* the machine has no huge pages */
		return 0;
	do
		for (int i = 0; i < 4096; i++) {
			place = place * 75 % 65537;
			sum += at[(place - 1) * 8];
			if (write)
				at[(place - 1) * 8] = sum;
		}
	while (cpu_ns() < end);
	tell_array(name, at, BYTES, getpid(), from, now_ns());
	return sum;
}

int main(void)
{
	enum { BOTH = PROT_READ | PROT_WRITE };
	long *table, *out, *segment, *buffer, *huge, *keyed, *part[2], sum = 0;

	table = map(open("data.bin", O_RDONLY), PROT_READ, MAP_PRIVATE);
	out = map(open("out.bin", O_RDWR | O_CREAT, 0600), BOTH, MAP_SHARED);
	segment = map(shm_open("/memdb-test-segment", O_RDWR | O_CREAT, 0600), BOTH, MAP_SHARED);
	shm_unlink("/memdb-test-segment");
	buffer = map(memfd_create("scratch", 0), BOTH, MAP_SHARED);
	keyed = shmat(shmget(IPC_PRIVATE, BYTES, IPC_CREAT | 0600), NULL, 0);
	for (int i = 0; i < 2; i++)
		part[i] = map(open(i ? "two.bin" : "one.bin", O_RDONLY), PROT_READ, MAP_PRIVATE);
	huge = map(-1, BOTH, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB);
	sum += use("table@data.bin", table, 0);
	sum += use("out@out.bin", out, 1);
	sum += use("segment@memdb-test-segment", segment, 1);
	sum += use("buffer@memfd:scratch", buffer, 1);
	sum += use("keyed@SYSV00000000", keyed, 1);
	sum += use("part[i]@one.bin", part[0], 0);
	sum += use("part[i]@two.bin", part[1], 0);
	sum += use("huge@anon_hugepage", huge, 1);
	return sum == 1;
}
EOF
gcc -O2 -g -w -D_GNU_SOURCE -I"$SRC/tests/programs" -o "$T/mapped" "$T/mapped.c" -lrt
for f in data one two; do
	head -c $((4 << 20)) /dev/zero >"$T/$f.bin"
done
cd "$T" || exit

file="substr(r.name, instr(r.name, '@') + 1)"
# judge NAME: checks that all samples in each array have the object whose name is the SQL expression NAME, and whose
# dso is its file.
judge()
{
	local verdicts

	read_answers "$T/stdout"
	verdicts=$(sqlite3 "$DB" "
		ATTACH '$T/answers.db' AS a;
		SELECT r.name, o.name IS $1 AND o.kind = 'mapping' AND instr(d.short_name, $file) > 0 AS right, count(*), o.name
		FROM a.arrays r
		JOIN samples s ON s.address >= r.address AND s.address < r.address + r.bytes AND s.time BETWEEN r.start_ns AND r.end_ns
		LEFT JOIN objects o ON o.id = s.object_id LEFT JOIN dsos d ON d.id = o.dso_id
		GROUP BY 1, 2, 4")
	assert_eq "$build: objects without their names" "" "$(awk -F'|' '$2 != 1' <<<"$verdicts")"
	assert_ge "$build: objects" 7 "$(wc -l <<<"$verdicts")"
	assert_ge "$build: samples of each" 5 "$(awk -F'|' '{ print $3 }' <<<"$verdicts" | sort -n | head -n 1)"
}

build="-g"
record --sampler=timer ./mapped
judge "replace(r.name, '@', ' (') || ')'"
assert_match "report" 'table \(data\.bin\)' "$("$MEMDB" report "$DB")"
assert_match "report --object" '^table \(data\.bin\): mapping, 4\.0 MiB, in main mapped\.c:' "$("$MEMDB" report --object 'table (data.bin)' "$DB")"
assert_match "query" 'buffer \(memfd:scratch\)' "$("$MEMDB" query costs by=object "$DB")"
assert_eq "names" variable "$(sql "SELECT group_concat(answer) FROM coverage WHERE question = 'name' AND answer IN ('file', 'variable')")"

strip mapped
build="stripped"
record --sampler=timer ./mapped
judge "$file"
assert_match "report of the stripped program" ' data\.bin' "$("$MEMDB" report "$DB")"
assert_eq "names of the stripped program" file "$(sql "SELECT group_concat(answer) FROM coverage WHERE question = 'name' AND answer IN ('file', 'code address')")"

build="not tracked"
record --sampler=timer --no-track ./mapped
judge "$file"
