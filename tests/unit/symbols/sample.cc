// SPDX-License-Identifier: GPL-2.0-or-later
#include "sample.h"

#include <vector>

namespace shapes
{

double origin[3];
enum { ORIGIN_LINE = __LINE__ - 1 };

template <class T> struct Box {
	template <class F> __attribute__((noinline)) static void each(std::vector<T> &v, F f)
	{
		for (T &x : v)
			f(x);
		MARK(HERE("shapes::Box<double>::each"), "", "");
	}
};

__attribute__((noinline)) static void fill(std::vector<double> &v, volatile int *n)
{
	v.resize((size_t)*n * 10);
	MARK(HERE("shapes::fill"), "", "");
	Box<double>::each(v, [n](double &x) { x += *n; });
	MARK(HERE("shapes::fill"), "", "");
}

} // namespace shapes

int main(int argc, char **argv)
{
	volatile int n = argc;
	std::vector<double> v;

	shapes::fill(v, &n);
	shapes::origin[argc] = v[0];
	show_variable(shapes::origin, sizeof(shapes::origin), shapes::ORIGIN_LINE,
		      "shapes::origin");
	return argv[0] == nullptr;
}
