#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that what a library allocates for itself has the name of the library also in a thread that runs only the library's
# code, and that a block of a parallel region in another region has the inner place.
. "$(dirname "$0")/lib.sh"
need_perf
command -v g++ >/dev/null || skip "there is no C++ compiler"

cat >"$T/sort.cc" <<'EOF'
#include <algorithm>
#include <vector>

static void fill(std::vector<int> &v)
{
	unsigned x = 1;

	for (int &i : v)
		i = (int)(x = x * 1664525 + 1013904223);
}

int main()
{
	std::vector<int> numbers(300000);
	std::vector<std::vector<int>> rows(4, std::vector<int>(100000));

	fill(numbers);
	std::sort(numbers.begin(), numbers.end()); /* outside */
#pragma omp parallel for
	for (int i = 0; i < 4; i++) {
		fill(rows[i]);
		std::sort(rows[i].begin(), rows[i].end()); /* inside */
	}
	return numbers[0] + rows[1][2] == 1;
}
EOF
g++ -O2 -g -w -fopenmp -D_GLIBCXX_PARALLEL -o "$T/sort" "$T/sort.cc" 2>"$T/why" || skip "no parallel mode: $(head -1 "$T/why")"
OMP_NUM_THREADS=3 record --sampler=timer "$T/sort"
line_of() { grep -n "/\* $1 \*/" "$T/sort.cc" | cut -d : -f 1; }
outside="[libstdc++ parallel mode] main (sort.cc:$(line_of outside))"
inside="[libstdc++ parallel mode] main (sort.cc:$(line_of inside))"
assert_eq "names" "$(printf '%s\n' "[libstdc++ parallel mode]" "$inside" "$outside" | sort)" "$(sql "SELECT DISTINCT name FROM objects WHERE kind = 'heap' AND size_bytes >= 100000 AND name NOT IN ('numbers', 'rows[]', 'rows')
	ORDER BY name" | sort)"
