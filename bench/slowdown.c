/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slowdown CASE [TIMES]: a fixed amount of work, whose time bench/slowdown measures. It is done
 * TIMES times (default: once). The cases differ in the pattern of their accesses:
 *
 *   product   the product of two matrices of 256 x 256
 *   gather    reads 16 MiB in an order without pattern
 *   stencil   a stencil of five points on 1024 x 1024 cells, eight times
 *   nothing   does no work
 *   blocks    1,000,000 blocks from malloc, a thousand at a time
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 256, WIDTH = 1024, PLACES = 1 << 21 };

static double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];
static double in[WIDTH][WIDTH], out[WIDTH][WIDTH];
static double values[PLACES];

/* Fills an array. The asm statement hides the values from the compiler, which could otherwise
 * compute the results itself. */
static void fill(void *p, size_t bytes, int c)
{
	memset(p, c, bytes);
	__asm__ volatile("" : : "r"(p) : "memory");
}

static double product(void)
{
	fill(a, sizeof(a), 1);
	fill(b, sizeof(b), 1);
	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++)
			for (int k = 0; k < SIZE; k++)
				c[i][j] += a[i][k] * b[k][j];
	return c[1][2];
}

static double gather(void)
{
	uint32_t at = 1;
	double sum = 0;

	fill(values, sizeof(values), 1);
	for (int i = 0; i < 1 << 22; i++) {
		at = at * 1664525 + 1013904223;
		sum += values[at % PLACES];
	}
	return sum;
}

static double stencil(void)
{
	fill(in, sizeof(in), 1);
	for (int round = 0; round < 8; round++)
		for (int y = 1; y < WIDTH - 1; y++)
			for (int x = 1; x < WIDTH - 1; x++)
				out[y][x] = in[y][x] + in[y][x - 1] + in[y][x + 1] + in[y - 1][x] +
					    in[y + 1][x] + round;
	return out[5][7];
}

static double blocks(void)
{
	static char *live[1000];
	double sum = 0;

	for (unsigned i = 0; i < 1000000; i++) {
		char **p = &live[i * 7919u % 1000];

		free(*p);
		*p = malloc(16 + i % 500);
		if (!*p)
			exit(1);
		**p = (char)i;
		sum += **p;
	}
	return sum;
}

static double work(const char *what)
{
	if (!strcmp(what, "product"))
		return product();
	if (!strcmp(what, "gather"))
		return gather();
	if (!strcmp(what, "stencil"))
		return stencil();
	if (!strcmp(what, "blocks"))
		return blocks();
	return 0;
}

int main(int argc, char **argv)
{
	const int times = argc > 2 ? atoi(argv[2]) : 1;
	double result = 0;

	for (int i = 0; i < times; i++)
		result = work(argc > 1 ? argv[1] : "");
	return printf("%g\n", result) < 0;
}
