/* SPDX-License-Identifier: GPL-2.0-or-later */
/* faultgen [threads=2] [faults_per_thread=750000] [min_depth=4] [max_depth=14]: makes page faults
 * with data addresses as fast as it can, for benchmarks of the import.
 *
 * Each thread works in rounds. A round gets a block without pages, in one of three ways at random:
 * mmap() and munmap(), malloc() and free(), or MADV_DONTNEED on a block that is kept. Then it makes
 * calls to a random depth. At the bottom, one of six leaf functions touches every page. Each fault
 * is one sample under
 *
 *	perf record -e page-faults -c 1 -d -W -g -k CLOCK_MONOTONIC
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, BLOCK_PAGES = 256 };
static volatile uint64_t g_sink;
static int g_min = 4, g_max = 14;
static long g_faults = 750000;

typedef struct {
	char *base;
	size_t pages;
} block;
typedef void leaf_fn(const block *);

#define LEAF(name, expr)                                                                 \
	__attribute__((noinline)) static void name(const block *b)                       \
	{                                                                                \
		uint64_t s = 0;                                                          \
		for (size_t i = 0; i < b->pages; i++) {                                  \
			volatile char *p = b->base + i * PAGE + ((i * 64) % (PAGE - 8)); \
			expr;                                                            \
		}                                                                        \
		g_sink += s;                                                             \
	}
LEAF(fill_index, *p = (char)i)
LEAF(init_matrix, *p = (char)(i * 3))
LEAF(write_nodes, *(volatile uint64_t *)((uintptr_t)p & ~7ul) = i)
LEAF(read_zero, s += *p)
LEAF(update_count, *p += 1)
LEAF(copy_rows, memcpy((char *)p, &i, 4))
static leaf_fn *const leaves[] = { fill_index, init_matrix,  write_nodes,
				   read_zero,  update_count, copy_rows };

static void down_a(int depth, const block *b, int which);
__attribute__((noinline)) static void down_b(int depth, const block *b, int which)
{
	if (depth <= 0)
		leaves[which](b);
	else
		down_a(depth - 1, b, which);
	g_sink++;
}
__attribute__((noinline)) static void down_c(int depth, const block *b, int which)
{
	if (depth <= 0)
		leaves[which](b);
	else
		down_b(depth - 1, b, which);
	g_sink++;
}
__attribute__((noinline)) static void down_a(int depth, const block *b, int which)
{
	if (depth <= 0)
		leaves[which](b);
	else if (depth & 2)
		down_b(depth - 1, b, which);
	else
		down_c(depth - 1, b, which);
	g_sink++;
}

static void *worker(void *arg)
{
	uint64_t r = 88172645463325252ull + (uintptr_t)arg * 7919;
	size_t len = (size_t)BLOCK_PAGES * PAGE;
	char *kept = mmap(0, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (kept == MAP_FAILED)
		exit(1);
	madvise(kept, len, MADV_NOHUGEPAGE);
	for (long done = 0; done < g_faults;) {
		r ^= r << 13;
		r ^= r >> 7;
		r ^= r << 17;
		int depth = g_min + (int)(r % (unsigned)(g_max - g_min + 1)),
		    which = (int)((r >> 20) % 6);
		int kind = (int)((r >> 32) % 3);
		block b = { kept, BLOCK_PAGES };
		if (kind == 0) {
			b.base = mmap(0, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				      -1, 0);
			if (b.base == MAP_FAILED)
				exit(1);
			madvise(b.base, len, MADV_NOHUGEPAGE);
		} else if (kind == 1) {
			if (!(b.base = malloc(len)))
				exit(1);
		}
		down_a(depth, &b, which);
		if (kind == 0)
			munmap(b.base, len);
		else if (kind == 1)
			free(b.base);
		else
			madvise(kept, len, MADV_DONTNEED);
		done += BLOCK_PAGES;
	}
	munmap(kept, len);
	return 0;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 2;
	if (argc > 2)
		g_faults = atol(argv[2]);
	if (argc > 3)
		g_min = atoi(argv[3]);
	if (argc > 4)
		g_max = atoi(argv[4]);
	pthread_t t[64];
	if (n < 1 || n > 64 || g_max < g_min)
		return 2;
	for (long i = 0; i < n; i++)
		if (pthread_create(&t[i], 0, worker, (void *)(i + 1)))
			return 1;
	for (int i = 0; i < n; i++)
		pthread_join(t[i], 0);
	printf("threads %d, faults per thread about %ld\n", n, g_faults);
	return 0;
}
