/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures the cost of a malloc/free pair under an allocation tracker.
 *
 *  allocbench [THREADS=2] [PAIRS=50000000] [DEPTH=12] [LIVE=64]
 *
 * PAIRS is the total of all threads. Each thread keeps LIVE blocks, a power of two. A pair is
 * free(oldest) and malloc(size), with sizes log-uniform in 16..4095 bytes. Each descent through
 * DEPTH call levels makes 16 pairs. At each of the 5 innermost levels it takes one of two
 * functions, and there are 2 call sites at the bottom: 64 different stacks, as in a small program.
 * Prints ns of CPU time per pair, without the time of start-up and of a tracker's work at exit.
 * There is a build with and a build without frame pointers.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif

static int depth = 12, live = 64;
static long pairs;

struct worker {
	uint64_t random;
	void **slots;
	unsigned at, mask;
	char pad[64];
};

static inline size_t next_size(struct worker *w)
{
	size_t base;

	w->random ^= w->random << 13;
	w->random ^= w->random >> 7;
	w->random ^= w->random << 17;
	base = 16ul << (w->random >> 8 & 7);
	return base + ((w->random >> 16) & (base - 1));
}

static inline void pair(struct worker *w, size_t size)
{
	void **p = &w->slots[w->at++ & w->mask];

	free(*p);
	*p = malloc(size);
	if (!*p)
		abort();
	*(volatile char *)*p = 1;
}

NOINLINE static int leaf(struct worker *w)
{
	for (int i = 0; i < 8; i++) {
		pair(w, next_size(w));
		__asm__ volatile("" ::: "memory");
		pair(w, next_size(w));
	}
	return (int)w->at;
}

NOINLINE static int step_b(struct worker *w, int d);

NOINLINE static int step_a(struct worker *w, int d)
{
	char frame[40];
	int bit = d <= 6 ? (int)(w->random >> (d + 40) & 1) : d & 1;

	__asm__ volatile("" : : "r"(frame) : "memory");
	if (d <= 1)
		return leaf(w) + 1;
	return (bit ? step_b(w, d - 1) : step_a(w, d - 1)) + 1;
}

NOINLINE static int step_b(struct worker *w, int d)
{
	char frame[104];
	int bit = d <= 6 ? (int)(w->random >> (d + 40) & 1) : d & 1;

	__asm__ volatile("" : : "r"(frame) : "memory");
	if (d <= 1)
		return leaf(w) + 2;
	return (bit ? step_a(w, d - 1) : step_b(w, d - 1)) + 2;
}

static void *work(void *arg)
{
	struct worker w = { .random = 88172645463325252ull + (uintptr_t)arg * 104729,
			    .slots = calloc((size_t)live, sizeof(void *)),
			    .mask = (unsigned)live - 1 };

	for (long i = 0; w.slots && i < pairs; i += 16)
		step_a(&w, depth);
	for (int i = 0; i < live; i++)
		free(w.slots[i]);
	free(w.slots);
	return NULL;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 2;
	long total = argc > 2 ? atol(argv[2]) : 50000000;
	struct timespec a, b;
	pthread_t t[64];
	double ns;

	if (argc > 3)
		depth = atoi(argv[3]);
	if (argc > 4)
		live = atoi(argv[4]);
	if (n < 1 || n > 64 || depth < 1 || live < 1 || (live & (live - 1)))
		return 2;
	pairs = total / n;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
	for (long i = 0; i < n; i++)
		if (pthread_create(&t[i], NULL, work, (void *)(i + 1)))
			return 1;
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
	ns = (double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec);
	printf("%.1f\n", ns / (double)total);
	return 0;
}
