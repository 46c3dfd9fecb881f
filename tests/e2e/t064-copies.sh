#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that the blocks of copied objects have names: copies that the compiler generates for a class, copies that
# containers of the C++ library make, and assignments by a copy and a swap. Every installed C++ compiler builds the program,
# with and without optimisation, and the names must be the same.
. "$(dirname "$0")/lib.sh"
need_perf
command -v g++ >/dev/null || skip "there is no C++ compiler"

cat >"$T/copies.cc" <<'EOF'
#include <map>
#include <string>
#include <utility>
#include <vector>

/* A container of the program's own, which assigns by a copy and a swap. */
template <typename T> class Buffer {
	T *data_ = nullptr;
	int n_ = 0;
      public:
	Buffer() {}
	explicit Buffer(int n) : data_(new T[n]()), n_(n) {}
	Buffer(const Buffer &other) : data_(new T[other.n_]), n_(other.n_)
	{
		for (int i = 0; i < n_; i++)
			data_[i] = other.data_[i];
	}
	void swap(Buffer &other)
	{
		std::swap(data_, other.data_);
		std::swap(n_, other.n_);
	}
	Buffer &operator=(const Buffer &other)
	{
		if (&other != this) {
			Buffer temp(other);

			this->swap(temp);
		}
		return *this;
	}
	~Buffer() { delete[] data_; }
};

/* The same, by std::swap() with *this. */
struct Table {
	char *rows;
	int n;
	explicit Table(int size = 0) : rows(new char[size + 1]()), n(size) {}
	Table(const Table &other) : rows(new char[other.n + 1]()), n(other.n) {}
	friend void swap(Table &a, Table &b) { std::swap(a.rows, b.rows); std::swap(a.n, b.n); }
	Table &operator=(const Table &other)
	{
		Table copy(other);

		swap(*this, copy);
		return *this;
	}
	~Table() { delete[] rows; }
};

typedef std::vector<short> Shorts;

struct Base { std::vector<float> inherited; };

/* The compiler generates what copies these. */
struct Cell : Base {
	int id = 0;
	std::vector<double> state;
	std::vector<int> faces;
	std::string label;
	Cell() = default;
	Cell(const Cell &) = default;
	Cell &operator=(const Cell &) = default;
};
struct Twins {
	std::vector<char> left, right;
};
struct Pair {
	std::vector<char> left;
	std::vector<char> right;
};
struct Domain {
	Buffer<double> mass;
	Buffer<float> charge;
	Table table;
	Shorts shorts;
};
struct Mesh {
	std::vector<Cell> cells;
	std::map<int, Domain> domains;
};

/* The constructor is generated, too. */
struct Settings {
	Table values{ 4001 };
};
struct Global {
	static std::vector<char> pool;
};
std::vector<char> Global::pool(5001);

namespace shapes {
struct Square {
	Table sides;
	explicit Square(int n) : sides(n) {}
};
}

static Pair make_pair()
{
	Pair p;

	p.left.resize(6001);
	return p;
}

static Domain kept;
static Pair pair;

int main()
{
	Settings settings;
	auto *square = new shapes::Square(6002);
	auto *made = new Pair(make_pair());
	asm volatile("" : : "r"(square), "r"(made) : "memory");
	asm volatile("" : : "r"(&settings) : "memory"); /* clang removes blocks that nobody uses */
	Cell proto;
	proto.state.resize(1000);
	proto.faces.resize(1001);
	proto.inherited.resize(1002);
	proto.label = std::string(1003, 'x');
	Domain source;
	source.mass = Buffer<double>(2000);
	source.charge = Buffer<float>(2001);
	source.table = Table(20020);
	source.shorts.resize(2003);
	Pair both;
	both.left.resize(30000);
	both.right.resize(30001);

	Mesh mesh;
	mesh.cells.push_back(proto);
	mesh.domains[7] = source;
	Mesh copy(mesh);
	Mesh assigned;
	assigned = mesh;
	kept = source;
	for (int i = 0; i < 1; i++)
		pair = both;
	std::vector<Domain> all(2, source);
	Domain *heap = new Domain(source);
	*heap = kept;
	return copy.cells.size() + all.size() + assigned.cells.size() == 4 && heap ? 0 : 1;
}
EOF

# expected OBJECT MEMBER...: prints the names of the members.
expected()
{
	local member

	for member in "${@:2}"; do echo "$1$member"; done
}

cell=(faces inherited label state)
domain=(charge.data_ mass.data_ shorts table.rows)
{
	printf '%s\n' all heap Global::pool settings.values.rows square made 'made->left' 'square->sides.rows' {assigned,copy,mesh}.{cells,domains} {both,pair}.{left,right}
	for object in {assigned,copy,mesh}.cells[]. proto.; do expected "$object" "${cell[@]}"; done
	for object in {all[],{assigned,copy}.domains[],mesh.domains\[7],kept,source}. 'heap->'; do expected "$object" "${domain[@]}"; done
} | sort >"$T/expected"

for build in "g++ -O0" "g++ -O2" "clang++ -O0" "clang++ -O2"; do
	command -v "${build% *}" >/dev/null || continue
	$build -g -std=c++17 -o "$T/copies" "$T/copies.cc"
	record --sampler=timer "$T/copies"
	assert_eq "$build: objects" "$(cat "$T/expected")" \
		"$(sql "SELECT DISTINCT name FROM objects WHERE kind = 'heap' AND size_bytes > 1 AND name NOT LIKE 'libstdc++%'" | sort)"
done
