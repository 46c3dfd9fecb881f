#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The body of a parallel loop, which gcc makes a function of its own with a mangled plain name, is named as people write it;
# its threads share what it reads.
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
