#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that the table of a hash map has the name of the map also if the map belongs to a library in the program's own
# folders, whose methods have result types such as decltype(…), and that memory which the library allocates only with an
# alignment, for data of several types, gets no type.
. "$(dirname "$0")/lib.sh"
need_perf
command -v g++ >/dev/null || skip "there is no C++ compiler"

cat >"$T/phmap.h" <<'EOF'
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

namespace phmap {
namespace priv {
template <size_t Alignment, class Alloc> void *Allocate(Alloc &alloc, size_t n)
{
	struct alignas(Alignment) M {};
	using Unit = typename std::allocator_traits<Alloc>::template rebind_alloc<M>;
	Unit units(alloc);

	return std::allocator_traits<Unit>::allocate(units, (n + sizeof(M) - 1) / sizeof(M));
}
} // namespace priv

template <class K, class V> struct Policy {
	static V &value(std::pair<K, V> *slot) { return slot->second; }
};

template <class K, class V> class flat_hash_map {
	using slot = std::pair<K, V>;
	signed char *ctrl_ = nullptr;
	slot *slots_ = nullptr;
	size_t capacity_ = 0, size_ = 0;

	void initialize_slots(size_t n)
	{
		std::allocator<slot> alloc;
		char *mem = static_cast<char *>(priv::Allocate<alignof(slot)>(alloc, n * (sizeof(slot) + 1)));

		slots_ = reinterpret_cast<slot *>(mem + n);
		ctrl_ = reinterpret_cast<signed char *>(mem);
		memset(ctrl_, 0, n);
		capacity_ = n;
		size_ = 0;
	}
	void grow()
	{
		flat_hash_map old;

		std::swap(old.ctrl_, ctrl_), std::swap(old.slots_, slots_), std::swap(old.capacity_, capacity_);
		initialize_slots(old.capacity_ ? 2 * old.capacity_ : 16);
		for (size_t i = 0; i < old.capacity_; i++)
			if (old.ctrl_[i])
				*find_or_insert(old.slots_[i].first) = old.slots_[i].second;
	}

public:
	V *find_or_insert(const K &k)
	{
		if (2 * size_ >= capacity_)
			grow();
		size_t i = (uint64_t)k * 0x9e3779b97f4a7c15 & (capacity_ - 1);

		while (ctrl_[i] && slots_[i].first != k)
			i = (i + 1) & (capacity_ - 1);
		size_ += !ctrl_[i];
		slots_[i].first = k;
		ctrl_[i] = 1;
		return &slots_[i].second;
	}
	template <class Key, class P = Policy<K, V>> decltype(P::value(std::declval<slot *>())) operator[](Key &&k)
	{
		return *find_or_insert(k);
	}
};
} // namespace phmap
EOF
cat >"$T/tables.cc" <<'EOF'
#include "phmap.h"

struct Trade { long id; double price; };
struct Book {
	phmap::flat_hash_map<long, Trade> trades;
	phmap::flat_hash_map<long, double> prices;
};

__attribute__((noinline)) static void fill(Book &b, long n)
{
	for (long i = 0; i < n; i++) {
		b.trades[i] = { i, 1.5 };
		b.prices[i] = 1.5;
	}
}

int main()
{
	Book *book = new Book;
	double sum = 0;

	fill(*book, 300000);
	for (long i = 0; i < 3000000; i++)
		sum += book->trades[i * 7919 % 300000].price + book->prices[i * 7919 % 300000];
	return sum == 1;
}
EOF

for build in "g++ -O0" "g++ -O2" "clang++ -O2"; do
	command -v "${build% *}" >/dev/null || continue
	$build -g -w -std=c++17 -o "$T/tables" "$T/tables.cc"
	record --sampler=timer "$T/tables"
	assert_eq "$build: tables" "book->prices|
book->trades|" "$(sql "SELECT DISTINCT o.name, t.name FROM objects o LEFT JOIN types t ON t.id = o.type_id
		WHERE o.kind = 'heap' AND o.size_bytes > 1000000 ORDER BY 1")"
	assert_ge "$build: samples in the tables" 20 "$(sql "SELECT count(*) FROM samples s JOIN objects o ON o.id = s.object_id
		WHERE o.name LIKE 'book->%'")"
done
