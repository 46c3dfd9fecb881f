#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that blocks of a container's elements have other names than the container's own storage: "rows[]" for what the
# elements of rows allocate or point to. Each kind of block has a different size, by which the test finds its objects.
. "$(dirname "$0")/lib.sh"
need_perf
command -v g++ >/dev/null || skip "there is no C++ compiler"

cat >"$T/elements.cc" <<'EOF'
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

static void use(const void *p)
{
	asm volatile("" : : "r"(p) : "memory");
}

struct Particle {
	std::vector<float> trail;
	float *force;
	Particle() : trail(301) { force = new float[302]; }
	Particle(const Particle &p) : trail(p.trail), force(p.force) {}
	explicit Particle(int n) : trail(n), force(nullptr) {}
};
struct Big { char bytes[1601]; };
struct Small { char bytes[1603]; };
struct World {
	std::vector<Big *> all;
	std::vector<Small *> kept;
	void add();
	void keep(Small *s) { kept.push_back(s); }
};
void World::add()
{
	all.push_back(new Big);
	Small *s = new Small;
	s->bytes[0] = 1;
	kept.push_back(s);
}
static Big *make_big()
{
	Big *b = (Big *)malloc(1605);
	b->bytes[0] = 1;
	return b;
}

int main()
{
	std::vector<std::vector<double>> grid;
	std::vector<float> row(2603);
	std::vector<std::vector<float>> copies(2005, row);
	std::vector<Particle> particles(2007);
	std::vector<Particle> more;
	std::map<int, std::vector<short>> sorted;
	std::unordered_map<std::string, int> words;
	std::vector<std::unique_ptr<Big>> owned;
	std::deque<std::vector<char>> queue;
	std::list<std::string> lines;
	std::vector<std::vector<std::vector<int>>> cube(3);
	std::vector<Big *> made;
	World world;
	std::unique_ptr<char[]> single;

	for (int i = 0; i < 2003; i++)
		grid.push_back(std::vector<double>(601));
	more.reserve(2009);
	for (int i = 0; i < 30; i++) {
		std::string key(1001 + i % 10, 'a' + i % 26);

		more.emplace_back(303);
		sorted.emplace(i, std::vector<short>(701));
		words[key] = i;
		owned.push_back(std::make_unique<Big>());
		queue.emplace_back(1301);
		lines.push_back(key);
		world.add();
		made.push_back(make_big());
	}
	cube[0].resize(5, std::vector<int>(811));
	cube.push_back(cube[0]);
	single.reset(new char[71607]);
	use(&grid), use(&copies), use(&particles), use(&more), use(&sorted), use(&words), use(&owned), use(&queue), use(&lines), use(&cube);
	use(&world), use(&made), use(single.get());
	return (int)grid[1][1];
}
EOF
cat >"$T/expected" <<'EOF'
1204 particles[].trail
1208 particles[].force
1212 more[].trail
1301 queue[]
1402 sorted[]
1601 owned[]
1601 world.all[]
1603 world.kept[]
1605 made[]
3244 cube[0][]
3244 cube[][]
4808 grid[]
10412 copies[]
10412 row
48120 copies
71607 single
EOF

for build in "g++ -O0" "g++ -O2" "clang++ -O0" "clang++ -O2"; do
	command -v "${build% *}" >/dev/null || continue
	$build -g -w -std=c++17 -o "$T/elements" "$T/elements.cc"
	record --sampler=timer "$T/elements"
	assert_eq "$build: blocks" "$(cat "$T/expected")" "$(sql "SELECT DISTINCT a.size_bytes, o.name FROM allocations a JOIN objects o ON o.id = a.object_id
		WHERE o.kind = 'heap' AND a.size_bytes IN (1204, 1208, 1212, 1301, 1402, 1601, 1603, 1605, 3244, 4808, 10412, 48120, 71607) ORDER BY 1, 2" | tr '|' ' ')"
	assert_eq "$build: strings in nodes" "lines|lines[]|words (buckets)|words (nodes)|words[]" "$(sql "SELECT group_concat(name, '|') FROM (
		SELECT DISTINCT name FROM objects WHERE kind = 'heap' AND (name LIKE 'words%' OR name LIKE 'lines%') ORDER BY name)")"
done
