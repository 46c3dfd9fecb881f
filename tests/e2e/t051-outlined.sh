#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that the body of a parallel loop has the name of its source function, although gcc makes it a function of its
# own. Also proves that the threads share the data that they read.
. "$(dirname "$0")/lib.sh"
need_perf
cat >"$T/loop.cc" <<'EOF'
#include <vector>
static double __attribute__((noinline)) pull(const std::vector<double> &v, long times)
{
	double sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
	for (long i = 0; i < (long)v.size() * times; i++)
		sum += v[(unsigned long)i * 7919 % v.size()];
	return sum;
}
int main() { std::vector<double> v(1 << 20, 1); return pull(v, 40) < 1; }
EOF
g++ -O2 -g -fopenmp -o "$T/loop" "$T/loop.cc" 2>"$T/cc.log" || skip "there is no g++ with OpenMP"

"$MEMDB" record -q --sampler=timer -o "$T/loop.db" -- "$T/loop" >"$T/out" 2>&1 || fail "record: $(cat "$T/out")"
assert_eq "functions with mangled names" 0 "$(sqlite3 "$T/loop.db" "SELECT count(*) FROM line_costs WHERE substr(function, 1, 2) = '_Z'")"
assert_match "where the most is waited for" '^pull\(std::vector<double' "$(sqlite3 "$T/loop.db" "
	SELECT function FROM line_costs WHERE function LIKE 'pull(%' ORDER BY cost DESC LIMIT 1")"

# gcc describes the parallel region of an inlined method inside the method's abstract entry in DWARF. An array of the
# region must have its name, type and element even so.
cat >"$T/region.cc" <<'EOF'
#include <cstddef>
template <typename N> struct generator {
	N make(long rounds)
	{
		N sum = 0;
#pragma omp parallel reduction(+ : sum) num_threads(2)
		{
			N state[512] = { 0 };
			for (long r = 0; r < rounds; r++)
				for (int i = 0; i < 512; i++)
					state[i * 7 % 512] += (N)i;
			sum += state[7];
		}
		return sum;
	}
};
int main() { generator<double> g; return g.make(300000) < 1; }
EOF
g++ -O2 -g -fopenmp -o "$T/region" "$T/region.cc"
"$MEMDB" record -q --sampler=timer -o "$T/region.db" -- "$T/region" >"$T/out" 2>&1 || fail "record: $(cat "$T/out")"
assert_ge "samples of a region's array" 10 "$(sqlite3 "$T/region.db" "
	SELECT count(*) FROM drawn_samples WHERE expression = 'make::state[]' AND member_id IS NOT NULL")"

# The OpenMP runtime allocates memory for itself, at the line of the parallel loop. Such a block must not get the name
# of a variable in that line.
cat >"$T/own.c" <<'EOF'
#include <stdlib.h>
int main(void)
{
	double *sums = malloc(64 * sizeof(*sums));
	for (int r = 0; r < 200; r++)
#pragma omp parallel for num_threads(4)
		for (int i = 0; i < 64; i++)
			sums[i] = i;
	return sums[7] != 7;
}
EOF
gcc -O2 -g -fopenmp -o "$T/own" "$T/own.c" || skip "there is no gcc with OpenMP"
"$MEMDB" record -q --sampler=timer -o "$T/own.db" -- "$T/own" >"$T/out" 2>&1 || fail "record: $(cat "$T/out")"
assert_ge "blocks of the runtime" 1 "$(sqlite3 "$T/own.db" "SELECT count(*) FROM objects WHERE name GLOB '[[]libgomp*] main (own.c:*)'")"
assert_eq "the program's own blocks" sums "$(sqlite3 "$T/own.db" "SELECT name FROM objects WHERE allocated_bytes = 512 AND kind = 'heap' AND name NOT LIKE '[%'")"

# A helping thread runs a loop of `scale` that `solve` has called: --in solve has its samples, too.
cat >"$T/team.c" <<'EOF2'
#include <stdlib.h>
#include <omp.h>
#include <time.h>
enum { N = 1 << 16 };
static double x[N];
static double used(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static void __attribute__((noinline)) scale(double f)
{
#pragma omp parallel num_threads(2)
	for (double begin = used(); used() < begin + 0.3;)
		for (int i = omp_get_thread_num() * N / 2; i < (omp_get_thread_num() + 1) * N / 2; i++)
			x[i] = x[i] * f + 1;
	x[0] += 1;
}
static void __attribute__((noinline)) solve(void) { scale(0.5); x[1] += 1; }
static void __attribute__((noinline)) other(void) { x[2] += 1; }
int main(void) { solve(); other(); return x[7] < 0; }
EOF2
tried=
for compiler in gcc clang; do
	$compiler -O2 -g -fopenmp -o "$T/team" "$T/team.c" 2>"$T/cc.log" || continue
	tried=$compiler
	rm -f "$T/team.db"
	"$MEMDB" record -q --sampler=timer --call-graph=dwarf -o "$T/team.db" -- "$T/team" >"$T/out" 2>&1 || fail "record: $(cat "$T/out")"
	# clang up to version 15 does not name the function in the name of the region, but memdb does
	all=$(sqlite3 "$T/team.db" "SELECT count(DISTINCT thread_id) FROM samples JOIN location_frames USING (location_id) WHERE function GLOB 'scale.*omp*'")
	assert_eq "$compiler: threads in the loop" 2 "$all"
	"$MEMDB" query -f csv costs by=thread "$T/team.db" --in solve >"$T/threads" 2>"$T/out" || fail "--in solve: $(cat "$T/out")"
	assert_eq "$compiler: threads of solve" 2 "$(sed 1d "$T/threads" | wc -l)"
done
[ "$tried" ] || skip "there is no compiler with OpenMP"
