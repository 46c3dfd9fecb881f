/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep PATTERN ARITHMETIC KIB [MS]: reads an array of KIB KiB again and again, for MS ms of CPU
 * time (default: 300), and prints the time per element in ns. An array of 16 KiB is in the
 * first-level cache, and nothing else changes, so the difference is what memory costs.
 *
 * PATTERN     sequence, strided (65 cache lines apart), or scattered
 * ARITHMETIC  add, fma, divide    each element waits for the result of the element before it
 *             adds4               four sums, used in turn
 *             roots               a root of each element, four sums
 *             integers            a sum of integers
 *             vectors             four sums of vectors (sequence only)
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLOCK = 1 << 16 }; /* elements between two readings of the clock */

typedef double vector __attribute__((vector_size(32)));
static double *array;
static uint32_t mask; /* number of elements - 1 */

#define STRIDED(i)   ((i) * (65 * 8) & mask)
#define SCATTERED(i) (((i)*0x9E3779B1u >> 8 ^ (i)) & mask)

/* The loops over the elements `from` to `to`. Only the strided and scattered loops need a mask. */
#define KERNELS(pattern, PLACE)                                      \
	static double pattern##_add(uint32_t from, uint32_t to)      \
	{                                                            \
		double x = 0;                                        \
                                                                     \
		for (size_t i = from; i < to; i++)                   \
			x += array[PLACE(i)];                        \
		return x;                                            \
	}                                                            \
	static double pattern##_fma(uint32_t from, uint32_t to)      \
	{                                                            \
		double x = 0;                                        \
                                                                     \
		for (size_t i = from; i < to; i++)                   \
			x = x * 0.999 + array[PLACE(i)];             \
		return x;                                            \
	}                                                            \
	static double pattern##_divide(uint32_t from, uint32_t to)   \
	{                                                            \
		double x = 0;                                        \
                                                                     \
		for (size_t i = from; i < to; i++)                   \
			x = array[PLACE(i)] / (x + 2);               \
		return x;                                            \
	}                                                            \
	static double pattern##_adds4(uint32_t from, uint32_t to)    \
	{                                                            \
		double x = 0, y = 0, z = 0, w = 0;                   \
                                                                     \
		for (size_t i = from; i < to; i += 4) {              \
			x += array[PLACE(i)];                        \
			y += array[PLACE(i + 1)];                    \
			z += array[PLACE(i + 2)];                    \
			w += array[PLACE(i + 3)];                    \
		}                                                    \
		return x + y + z + w;                                \
	}                                                            \
	static double pattern##_roots(uint32_t from, uint32_t to)    \
	{                                                            \
		double x = 0, y = 0, z = 0, w = 0;                   \
                                                                     \
		for (size_t i = from; i < to; i += 4) {              \
			x += sqrt(array[PLACE(i)]);                  \
			y += sqrt(array[PLACE(i + 1)]);              \
			z += sqrt(array[PLACE(i + 2)]);              \
			w += sqrt(array[PLACE(i + 3)]);              \
		}                                                    \
		return x + y + z + w;                                \
	}                                                            \
	static double pattern##_integers(uint32_t from, uint32_t to) \
	{                                                            \
		const uint64_t *integers = (const uint64_t *)array;  \
		uint64_t x = 0;                                      \
                                                                     \
		for (size_t i = from; i < to; i++)                   \
			x += integers[PLACE(i)];                     \
		return (double)x;                                    \
	}

#define SEQUENCE(i) (i)
KERNELS(sequence, SEQUENCE)
KERNELS(strided, STRIDED)
KERNELS(scattered, SCATTERED)

__attribute__((target("avx2"))) static double sequence_vectors(uint32_t from, uint32_t to)
{
	vector x = { 0 }, y = x, z = x, w = x;

	for (size_t i = from; i < to; i += 16) {
		const vector *v = (const vector *)&array[i];

		x += v[0];
		y += v[1];
		z += v[2];
		w += v[3];
	}
	x += y + z + w;
	return x[0] + x[1] + x[2] + x[3];
}

static const struct {
	const char *name;
	double (*run)(uint32_t from, uint32_t to);
} kernels[] = {
#define KERNEL(pattern, arithmetic)                              \
	{                                                        \
#pattern " " #arithmetic, pattern##_##arithmetic \
	}
#define ALL_OF(pattern)                                                      \
	KERNEL(pattern, add), KERNEL(pattern, fma), KERNEL(pattern, divide), \
		KERNEL(pattern, adds4), KERNEL(pattern, roots), KERNEL(pattern, integers)
	ALL_OF(sequence),
	KERNEL(sequence, vectors),
	ALL_OF(strided),
	ALL_OF(scattered),
};
enum { SEQUENCES = 7 }; /* the number of `sequence` kernels, which come first */

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	double most = argc > 4 ? atof(argv[4]) : 300, start, sum = 0;
	uint32_t from = 0;
	uint64_t done = 0;
	char name[64];

	if (argc < 4)
		return 2;
	snprintf(name, sizeof(name), "%s %s", argv[1], argv[2]);
	mask = (uint32_t)(strtoul(argv[3], NULL, 10) * 1024 / sizeof(*array)) - 1;
	array = aligned_alloc(64, ((size_t)mask + 1) * sizeof(*array));
	for (uint32_t i = 0; i <= mask; i++)
		array[i] = 1 + i % 7;
	for (size_t k = 0; k < sizeof(kernels) / sizeof(kernels[0]); k++) {
		if (strcmp(kernels[k].name, name))
			continue;
		start = cpu_ms();
		for (; cpu_ms() - start < most; done += BLOCK)
			for (uint32_t n = 0, size; n < BLOCK; n += size) {
				size = mask < BLOCK ? mask + 1 : BLOCK;
				if (from + size > mask + 1 && k < SEQUENCES)
					from = 0;
				sum += kernels[k].run(from, from + size);
				from += size;
			}
		printf("%.4f ns, result %g\n", (cpu_ms() - start) * 1e6 / (double)done, sum);
		return 0;
	}
	return 2;
}
