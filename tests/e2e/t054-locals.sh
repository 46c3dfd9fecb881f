#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that a sample on a stack is attributed to the local variable that it hits, in the frame of some function.
# memdb knows the frames of the sample itself, of main(), those in copies of the stack, and those of callers that frame
# pointers or the code show. If nothing proves that a frame is open, the sample belongs to the thread's stack, or to the
# target of the pointer that the code uses, so a name is never wrong. An array of main() is found in every thread that
# works on it.
. "$(dirname "$0")/lib.sh"
need_perf

# judge: prints for each array three numbers of samples: those whose name is right; those that say only "stack"
# or name the target of a pointer; and those whose name is wrong.
judge()
{
	read_answers "$T/stdout"
	sqlite3 "$DB" "
		ATTACH '$T/answers.db' AS a;
		WITH h AS (
			SELECT r.name AS array,
				CASE WHEN o.name = r.name AND o.size_bytes = r.bytes AND t.tid = r.tid
						AND s.object_offset = (s.address - r.address) % r.bytes THEN 'right'
				WHEN o.name LIKE '[stack of %' AND t.tid = r.tid THEN 'stack'
				WHEN o.name IN ('*kernel::a', '*helper::a', '*walk::own', '*again::outer') AND w.name = 'double' AND t.tid = r.tid THEN 'pointer'
				ELSE 'wrong' END AS verdict
			FROM a.arrays r
			JOIN samples s ON s.address >= r.address AND s.address < r.address + r.bytes
				AND s.time BETWEEN r.start_ns AND r.end_ns
			LEFT JOIN objects o ON o.id = s.object_id LEFT JOIN threads t ON t.id = o.thread_id
			LEFT JOIN types w ON w.id = o.type_id
			WHERE s.thread_id IN (SELECT id FROM threads WHERE tid = r.tid) OR r.name LIKE '%::shared')
		SELECT array, verdict, count(*) FROM h GROUP BY 1, 2"
}

# only_right LEAST ARRAYS...: checks that each of these arrays has at least LEAST samples, and that all of them
# have its name.
only_right()
{
	local least=$1 array

	shift
	for array; do
		assert_eq "$build: $array" right "$(awk -F'|' -v a="$array" '$1 == a { print $2 }' <<<"$verdicts")"
		assert_ge "$build: samples in $array" "$least" \
			"$(awk -F'|' -v a="$array" '$1 == a { print $3 }' <<<"$verdicts")"
	done
}

all="blocks::one blocks::other direct::own first::same inlined::within main::of_main recursive::level second::alike two_deep::far worker::mine"

for build in "gcc -O0 -gdwarf-4" "gcc -O2" "clang -O3 -no-pie"; do
	command -v "${build%% *}" >/dev/null || continue
	$build -g -w -D_GNU_SOURCE -I"$SRC/tests/programs" -o "$T/locals" "$SRC/tests/programs/locals.c" -lpthread
	record --sampler=timer --call-graph=dwarf "$T/locals" 0.05
	verdicts=$(judge)
	only_right 3 $all
done

for build in "gcc -O2" "gcc -O0" "clang -O2 -fno-omit-frame-pointer"; do # without copies of the stack
	command -v "${build%% *}" >/dev/null || continue
	$build -g -w -D_GNU_SOURCE -I"$SRC/tests/programs" -o "$T/locals" "$SRC/tests/programs/locals.c" -lpthread
	record --sampler=timer "$T/locals" 0.05
	verdicts=$(judge)
	only_right 3 direct::own main::of_main
	assert_eq "$build: wrong names" "" "$(awk -F'|' '$2 == "wrong"' <<<"$verdicts")"
	[ "$build" = "gcc -O2" ] || # frame pointers show the callers, except at the first instructions of a function
		assert_ge "$build: percent with their names" 95 \
			"$(awk -F'|' '{ all += $3; if ($2 == "right") n += $3 } END { print 100 * n / all }' <<<"$verdicts")"
done

build="stripped"
strip "$T/locals"
record --sampler=timer "$T/locals" 0.05
verdicts=$(judge)
assert_eq "$build: names" "" "$(awk -F'|' '$2 == "right"' <<<"$verdicts")"

cat >"$T/shared.c" <<'EOF'
#include "answer.h"

enum { N = 1 << 16, THREADS = 3 };

int __attribute__((noinline)) FUNCTION(void)
{
	double shared[N];
	int64_t from, end;

	for (long i = 0; i < N; i++)
		shared[i] = i;
	from = now_ns();
	end = cpu_ns() + 60000000; /* of each thread: they all do as much */
	do {
#pragma omp parallel num_threads(THREADS)
		for (int r = 0; r < 100; r++)
#pragma omp for
			for (long i = 0; i < N; i++)
				shared[i] = shared[i] * 0.999 + (double)i;
	} while (cpu_ns() < end);
	tell_array(NAME, shared, sizeof(shared), getpid(), from, now_ns());
	return shared[7] == 3;
}

#ifdef CALLED
int main(void) { return FUNCTION(); }
#endif
EOF
# shared_array FUNCTION FLAG...: judges the array of FUNCTION on which all threads work.
shared_array()
{
	function=$1
	shift
	$build -fopenmp -g -w -D_GNU_SOURCE "-DFUNCTION=$function" "-DNAME=\"$function::shared\"" "$@" \
		-I"$SRC/tests/programs" -o "$T/shared" "$T/shared.c" 2>"$T/why" || return 0
	OMP_WAIT_POLICY=passive record --sampler=timer "$T/shared" # a thread that waits uses no CPU time
	verdicts=$(judge)
	build="$build, OpenMP"
	only_right 10 "$function::shared"
	assert_ge "$build: threads" 3 "$(sql "SELECT count(DISTINCT s.thread_id) FROM samples s
		JOIN objects o ON o.id = s.object_id WHERE o.name = '$function::shared'")"
}
for build in "gcc -O0" "gcc -O2" "clang -O2"; do
	kind=$build
	shared_array main
	build=$kind # the helping threads have no call chain to it: only the region's name proves that its frame is open
	shared_array relax -DCALLED
done

# gcc puts variables that nested functions use into a struct in the frame, so the location of each has two offsets.
cat >"$T/nested.c" <<'EOF'
#include <unistd.h>
#include "answer.h"

int main(void)
{
	double before[9000], nested[20000], after[9000];
	int64_t from = now_ns(), end = cpu_ns() + 200000000;

	__attribute__((noinline)) void work(int times)
	{
		for (int t = 0; t < times; t++)
			for (int i = 0; i < 20000; i++)
				nested[i] = nested[i] * 0.999 + before[i & 8191] + after[i & 8191];
	}
	for (int i = 0; i < 20000; i++)
		nested[i] = before[i % 9000] = after[i % 9000] = i;
	do
		work(20);
	while (cpu_ns() < end);
	tell_array("main::nested", nested, sizeof(nested), getpid(), from, now_ns());
	tell_array("main::after", after, sizeof(after), getpid(), from, now_ns());
	return nested[7] == 3;
}
EOF
for build in "gcc -O2" "gcc -O0"; do
	command -v gcc >/dev/null || continue
	$build -g -w -D_GNU_SOURCE -I"$SRC/tests/programs" -o "$T/nested" "$T/nested.c"
	record --sampler=timer "$T/nested"
	verdicts=$(judge)
	build="$build, nested"
	only_right 3 main::nested
done
