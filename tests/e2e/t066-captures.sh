#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that blocks have names that lambdas capture, that a temporary passes on by a swap, that structured bindings name, and
# that belong to the second variable of a declaration. Each block has a different size, by which the test finds its object.
. "$(dirname "$0")/lib.sh"
need_perf
command -v g++ >/dev/null || skip "there is no C++ compiler"

cat >"$T/captures.cc" <<'EOF'
#include <cstdio>
#include <functional>
#include <utility>
#include <vector>

static void use(const void *p)
{
	asm volatile("" : : "r"(p) : "memory");
}

static std::pair<std::vector<int>, std::vector<int>> split(size_t n)
{
	return { std::vector<int>(n, 1),
		 std::vector<int>(n + 1, 2) };
}

/* both blocks are allocated on one line */
static std::pair<std::vector<float>, std::vector<float>> halves(size_t n)
{
	return { std::vector<float>(n, 1), std::vector<float>(n + 1, 2) };
}

struct Field {
	std::vector<float> data;
	void clear(size_t n) { std::vector<float>(n).swap(data); }
};

int main()
{
	std::vector<double> table(2000);
	auto copying = [table](size_t i) {
		return table[i];
	};
	auto moved = [grid = std::vector<double>(3000)](size_t i) { return grid[i]; };
	auto both = [&table, grid = std::vector<double>(4000)](size_t i) mutable -> double {
		return table[i] + grid[i];
	};
	std::vector<short> first(5000), second(5001);
	auto [low, high] = split(10000);
	auto &&[left, right] = halves(20000);
	std::vector<double> v;
	std::vector<double>(6000).swap(v);
	Field f;
	f.clear(7000);
	use(&copying);
	use(&moved);
	use(&both);
	use(first.data());
	use(second.data());
	use(low.data());
	use(high.data());
	use(left.data());
	use(right.data());
	use(v.data());
	use(f.data.data());
	return copying(1) + moved(1) + both(1) == 0 ? 0 : 1;
}
EOF
cat >"$T/expected" <<'EOF'
10000 first
10002 second
16000 copying.table
16000 table
24000 moved.grid
28000 f.data
32000 both.grid
40000 low|high
40004 low|high
48000 v
80000 left
80004 right
EOF

for build in "g++ -O0" "g++ -O2" "clang++ -O0" "clang++ -O2"; do
	command -v "${build% *}" >/dev/null || continue
	$build -g -std=c++17 -o "$T/captures" "$T/captures.cc"
	record --sampler=timer "$T/captures"
	assert_eq "$build: objects" "$(cat "$T/expected")" \
		"$(sql "SELECT size_bytes, name FROM objects WHERE kind = 'heap' AND size_bytes BETWEEN 10000 AND 90000 AND name NOT LIKE 'libstdc++%' ORDER BY 1, 2" | tr '|' ' ' | sed 's/low high/low|high/')"
done
