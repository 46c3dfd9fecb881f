/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages that the C++ library, libc or the kernel touches first, each time on behalf of one line
 * of the program, which it prints. Other pages are first touched by the program itself. */
#include <cstring>
#include <fcntl.h>
#include <vector>

extern "C" {
#include "answer.h"
}

static const size_t bytes = 4 << 20;

/* Prints an array whose pages were first touched by a call in line `line`. Must be called after
 * this call: otherwise the call is the last one of its function, and the compiler may make it a
 * jump (a tail call), so that the function has no frame. */
static void tell(const char *name, const void *p, int line)
{
	char at[64];

	snprintf(at, sizeof(at), "line.%s", name);
	tell_value(at, line);
	tell_array(name, p, bytes, 0, 0, 0);
}

NOINLINE static void resize(std::vector<double> &v)
{
	v.resize(bytes / sizeof(double), 1.0);
	tell("resized", v.data(), __LINE__ - 1);
}

NOINLINE static void assign(std::vector<double> &w, const std::vector<double> &v)
{
	w.assign(v.begin(), v.end());
	tell("assigned", w.data(), __LINE__ - 1);
}

NOINLINE static void set(char *p)
{
	memset(p, 1, bytes);
	tell("set", p, __LINE__ - 1);
}

NOINLINE static bool load(char *p)
{
	int f = open("/dev/zero", O_RDONLY);
	ssize_t n = read(f, p, bytes);
	tell("loaded", p, __LINE__ - 1);
	return n == (ssize_t)bytes;
}

NOINLINE static void write_each(volatile char *p)
{
	for (size_t i = 0; i < bytes; i += 64)
		p[i] = 1;
	tell("written", (const void *)p, __LINE__ - 1);
}

int main()
{
	std::vector<double> v, w;

	resize(v);
	assign(w, v);
	set((char *)malloc(bytes));
	if (!load((char *)malloc(bytes)))
		return 1;
	write_each((char *)malloc(bytes));
	return 0;
}
