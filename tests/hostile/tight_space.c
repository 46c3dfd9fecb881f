/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs limit their address space to what they have and a little more, and use all of it, in
 * several ways. The log has reserved address space before; the program must get it.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 15000..135000
 * lost: 0..240000 */
#include "hostile.h"

/* HAS: bytes; more than the program and the tracker have mapped at their start, but not 8 MiB
 * more */
enum { HAS = 8 << 20, MORE = 12 << 20, PIECE = 1 << 20 };

/* Each of these uses up to n more bytes of address space, and returns NULL if there are too few. */

static void *by_malloc(size_t n)
{
	return keep(malloc(n - 4096));
}

static void *by_calloc(size_t n)
{
	return keep(calloc(1, n - 4096));
}

static void *by_memalign(size_t n)
{
	void *p = NULL;

	return posix_memalign(&p, 4096, n - 8192) ? NULL : keep(p);
}

static void *by_realloc(size_t n)
{
	static void *block;
	static size_t bytes;
	void *p = realloc(block, bytes += n);

	block = p ? p : block;
	return p;
}

static void *by_mmap(size_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static void *by_small(size_t n)
{
	for (size_t used = 0; used + 2048 < n; used += 2048)
		if (!keep(malloc(2000)))
			return NULL;
	return &errno;
}

static void use_all(void *take(size_t))
{
	struct rlimit limit = { HAS + MORE, HAS + MORE };
	int n = 0;

	pairs(2500);
	must(!setrlimit(RLIMIT_AS, &limit), "setrlimit");
	while (n < MORE / PIECE && take(PIECE))
		n++;
	must(n == MORE / PIECE, "all of the address space is there");
	pairs(20000);
	_exit(0);
}

int main(void)
{
	void *(*const ways[])(size_t) = {
		by_malloc, by_calloc, by_memalign, by_realloc, by_mmap, by_small,
	};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		pid_t pid = fork();

		if (!pid)
			use_all(ways[i]);
		wait_for(pid);
	}
	puts("space");
	return 0;
}
