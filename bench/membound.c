/* SPDX-License-Identifier: GPL-2.0-or-later */
/* membound [threads=2] [MiB=256] [steps_millions=20]: does a fixed amount of memory-bound work, to
 * measure the overhead of sampling. Each thread follows a chain of random references through its
 * own block, 8 calls deep, and then reads the block sequentially several times. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static size_t g_n;
static long g_steps;
static volatile uint64_t sink;
__attribute__((noinline)) static uint64_t chase(uint32_t *a, long n)
{
	uint32_t i = 0;
	while (n--)
		i = a[i];
	return i;
}
__attribute__((noinline)) static uint64_t stream(uint32_t *a)
{
	uint64_t s = 0;
	for (size_t i = 0; i < g_n; i++)
		s += a[i];
	return s;
}
__attribute__((noinline)) static uint64_t down(int d, uint32_t *a, int k)
{
	uint64_t r = d ? down(d - 1, a, k) : k ? chase(a, g_steps / 16) : stream(a);
	return r + 1;
}
static void *run(void *arg)
{
	uint32_t *a = arg;
	uint64_t r = (uintptr_t)arg | 1;
	for (size_t i = 0; i < g_n; i++)
		a[i] = (uint32_t)i;
	for (size_t i = g_n - 1; i; i--) { /* Sattolo's shuffle: all elements form one cycle */
		r ^= r << 13;
		r ^= r >> 7;
		r ^= r << 17;
		size_t j = r % i;
		uint32_t t = a[i];
		a[i] = a[j];
		a[j] = t;
	}
	struct timespec x, y;
	clock_gettime(CLOCK_MONOTONIC, &x);
	for (int k = 0; k < 16; k++)
		sink += down(8, a, 1) + down(8, a, 0);
	clock_gettime(CLOCK_MONOTONIC, &y);
	double *d = malloc(sizeof *d);
	*d = (double)(y.tv_sec - x.tv_sec) + (double)(y.tv_nsec - x.tv_nsec) * 1e-9;
	return d;
}
int main(int c, char **v)
{
	int n = c > 1 ? atoi(v[1]) : 2;
	size_t mib = c > 2 ? (size_t)atol(v[2]) : 256;
	g_steps = (c > 3 ? atol(v[3]) : 20) * 1000000;
	pthread_t t[64];
	double s = 0;
	g_n = mib * 262144;
	if (n < 1 || n > 64)
		return 2;
	for (int i = 0; i < n; i++)
		pthread_create(&t[i], 0, run, malloc(g_n * 4));
	for (int i = 0; i < n; i++) {
		void *d;
		pthread_join(t[i], &d);
		s += *(double *)d;
	}
	printf("membound: work %.4f s (mean of %d threads)\n", s / n, n);
	return 0;
}
