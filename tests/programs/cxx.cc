// SPDX-License-Identifier: GPL-2.0-or-later
/* Works on two arrays, for the same CPU time each: one that a std::vector in a class template
 * allocates, and one that new[] allocates. */
#include <vector>

extern "C" {
#include "work.h"
}

template <typename T> class grid
{
	std::vector<T> cells;

      public:
	explicit grid(size_t count) : cells(count)
	{
	}
	T *data()
	{
		return cells.data();
	}
};

namespace
{
constexpr size_t COUNT = 1 << 20;
}

NOINLINE static grid<uint64_t> *make_grid()
{
	return new grid<uint64_t>(COUNT);
}

NOINLINE static uint64_t *make_array()
{
	return new uint64_t[COUNT]();
}

int main(int argc, char **argv)
{
	int64_t budget = work_ns(argc, argv, 0.7);
	grid<uint64_t> *cells = make_grid();
	uint64_t *array = make_array();

	work_on("grid", cells->data(), COUNT, budget);
	work_on("array", array, COUNT, budget);
	delete[] array;
	delete cells;
	return 0;
}
