/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can happen to a page after its first touch. Each case has an array of its own. Needs four
 * nodes, each with one CPU of the same number.
 *
 * given_back: written on node 0, released by madvise(MADV_DONTNEED), written on node 2
 * mapped_again: written on node 0, unmapped, mapped at the same address, written on node 3
 * read_first: read on node 1, which maps the zero page, then written on node 2
 * parents: written on node 0, then by the parent of a fork on node 1
 * childs: the same array in the child, which keeps the page on node 0
 * huge: transparent huge pages, written on node 3
 * hugetlb: pages of hugetlbfs, of which node 1 must have some, written there
 * used_before: allocated where a block that was written on node 0 was freed; written on node 2
 * moved: written on node 0, moved to node 3 by another process
 * resized: a block written on node 1 that realloc moves to another address
 * remapped: written on node 2, moved to another address by mremap
 * grown: bound to node 3, enlarged by mremap, written on node 0
 * shared: memory of several processes, interleaved over all nodes
 *
 * Prints "array NAME ADDRESS BYTES PID TID START_NS END_NS", where the times are those of the
 * work on the array after all this, and "home ADDRESS NODE" of each page, according to the
 * kernel.
 */
#include <fcntl.h>
#include <malloc.h>
#include <numaif.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "answer.h"

enum { PAGE = 4096, BYTES = 64 * PAGE, HUGE = 2 << 20 };

static void need(long ret, const char *what)
{
	if (ret < 0) {
		perror(what);
		exit(2);
	}
}

static void run_on_node(int node)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(node, &set);
	need(sched_setaffinity(0, sizeof(set), &set), "sched_setaffinity");
}

static char *map_at(void *at, size_t bytes)
{
	char *p = mmap(at, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);

	if (p == MAP_FAILED)
		need(-1, "mmap");
	return p;
}

NOINLINE static void write_on(int node, char *p, size_t bytes)
{
	run_on_node(node);
	for (size_t i = 0; i < bytes; i += PAGE)
		*(volatile char *)(p + i) = 1;
}

NOINLINE static void read_on(int node, const char *p, size_t bytes)
{
	run_on_node(node);
	for (size_t i = 0; i < bytes; i += PAGE)
		(void)*(const volatile char *)(p + i);
}

/* The emulator interrupts the program for a timer sample only where a basic block begins. The
 * access is the first instruction of the inner loop's basic block, so samples are taken at the
 * access. */
NOINLINE static void work_on(const char *p, size_t bytes)
{
	struct budget b = budget_of(100000000);

	while (budget_lasts(&b))
		for (const char *a = p; a < p + bytes; a += 512)
			(void)*(const volatile uint64_t *)a;
}

static void tell_homes(const char *p, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += PAGE) {
		void *page = (void *)(uintptr_t)(p + i);
		int node = -1;

		need(move_pages(0, 1, &page, NULL, &node, 0), "move_pages");
		printf("home %" PRIuPTR " %d\n", (uintptr_t)page, node);
	}
}

static void finish(const char *name, const char *p, size_t bytes)
{
	int64_t start = now_ns();

	work_on(p, bytes);
	tell_array(name, p, bytes, gettid_now(), start, now_ns());
	tell_homes(p, bytes);
	fflush(stdout);
}

NOINLINE static void given_back(void)
{
	char *p = map_at(NULL, BYTES);

	write_on(0, p, BYTES);
	need(madvise(p, BYTES, MADV_DONTNEED), "madvise");
	write_on(2, p, BYTES);
	finish("given_back", p, BYTES);
}

NOINLINE static void mapped_again(void)
{
	char *p = map_at(NULL, BYTES);

	write_on(0, p, BYTES);
	need(munmap(p, BYTES), "munmap");
	map_at(p, BYTES);
	write_on(3, p, BYTES);
	finish("mapped_again", p, BYTES);
}

NOINLINE static void read_first(void)
{
	char *p = map_at(NULL, BYTES);

	read_on(1, p, BYTES);
	write_on(2, p, BYTES);
	finish("read_first", p, BYTES);
}

NOINLINE static void forked(void)
{
	char *p = map_at(NULL, BYTES), go = 0;
	int written[2];
	pid_t child;

	write_on(0, p, BYTES);
	need(pipe2(written, O_CLOEXEC), "pipe2");
	fflush(stdout);
	child = fork();
	need(child, "fork");
	if (!child) {
		need(read(written[0], &go, 1), "read");
		run_on_node(2);
		finish("childs", p, BYTES);
		_exit(0);
	}
	write_on(1, p, BYTES);
	need(write(written[1], &go, 1), "write");
	need(waitpid(child, NULL, 0), "waitpid");
	finish("parents", p, BYTES);
}

NOINLINE static void huge(void)
{
	char *all = map_at(NULL, 3 * HUGE);
	char *p = (char *)(((uintptr_t)all + HUGE - 1) & -(uintptr_t)HUGE);

	need(madvise(all, 3 * HUGE, MADV_HUGEPAGE), "madvise");
	write_on(3, p, 2 * HUGE);
	finish("huge", p, 2 * HUGE);
}

NOINLINE static void hugetlb(void)
{
	char *p = mmap(NULL, 2 * HUGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);

	if (p == MAP_FAILED)
		need(-1, "mmap of huge pages");
	write_on(1, p, 2 * HUGE);
	finish("hugetlb", p, 2 * HUGE);
}

NOINLINE static void used_before(void)
{
	char *first = must_have(malloc(BYTES)), *p;
	size_t skip;

	write_on(0, first, BYTES);
	free(first);
	p = must_have(malloc(BYTES));
	if (p != first)
		need(-1, "malloc gives other memory");
	write_on(2, p, BYTES);
	skip = PAGE - (uintptr_t)p % PAGE;
	finish("used_before", p + skip, BYTES - 2 * PAGE);
	free(p);
}

NOINLINE static void moved(void)
{
	unsigned long from = 1, to = 8;
	char *p = map_at(NULL, BYTES);
	pid_t child, parent = getpid();
	int status;

	write_on(0, p, BYTES);
	fflush(stdout);
	child = fork();
	need(child, "fork");
	if (!child)
		_exit(migrate_pages(parent, 64, &from, &to) < 0);
	need(waitpid(child, &status, 0), "waitpid");
	need(-status, "migrate_pages");
	finish("moved", p, BYTES);
}

/* A block of this size is a mapping of its own in malloc, so realloc moves it with mremap. */
NOINLINE static void resized(void)
{
	char *first = must_have(malloc(8 * BYTES)), *p;
	size_t skip;

	write_on(1, first, 8 * BYTES);
	p = must_have(realloc(first, 64 * BYTES));
	if (p == first)
		need(-1, "realloc leaves it where it was");
	run_on_node(3);
	skip = PAGE - (uintptr_t)p % PAGE;
	finish("resized", p + skip, BYTES);
}

NOINLINE static void remapped(void)
{
	char *first = map_at(NULL, BYTES), *to = map_at(NULL, BYTES), *p;

	write_on(2, first, BYTES);
	write_on(0, to, BYTES);
	p = mremap(first, BYTES, BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, to);
	if (p == MAP_FAILED)
		need(-1, "mremap");
	finish("remapped", p, BYTES);
}

NOINLINE static void grown(void)
{
	char *p = map_at(NULL, BYTES);
	unsigned long node3 = 1 << 3;

	need(mbind(p, BYTES, MPOL_BIND, &node3, 64, 0), "mbind");
	p = mremap(p, BYTES, 2 * BYTES, MREMAP_MAYMOVE);
	if (p == MAP_FAILED)
		need(-1, "mremap");
	write_on(0, p, 2 * BYTES);
	finish("grown", p, 2 * BYTES);
}

/* Interleaves shared memory over all nodes. For a page of shared memory, the kernel derives the
 * node from the page number in the file plus the inode number, not from the address. There are two
 * mappings of different sizes, so that in at least one of them the two rules yield different
 * nodes. */
NOINLINE static void shared(void)
{
	unsigned long all = 15;

	for (int i = 0; i < 2; i++) {
		char *p = mmap(NULL, BYTES + (size_t)i * PAGE, PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED)
			need(-1, "mmap of shared memory");
		need(mbind(p, BYTES, MPOL_INTERLEAVE, &all, 64, 0), "mbind");
		write_on(0, p, BYTES);
		finish("shared", p, BYTES);
	}
}

int main(void)
{
	/* makes malloc take large blocks from the heap, too, and keep freed memory there */
	mallopt(M_MMAP_THRESHOLD, 4 * BYTES);
	mallopt(M_TRIM_THRESHOLD, 64 * BYTES);
	given_back();
	mapped_again();
	read_first();
	forked();
	used_before();
	huge();
	hugetlb();
	moved();
	resized();
	remapped();
	grown();
	shared();
	return 0;
}
