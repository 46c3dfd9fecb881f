/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program of the demo: multiplies a sparse matrix by a vector. It reads the matrix sequentially
 * and the vector at random, so most of the time goes to the vector. One thread writes all data, so
 * on a machine with several nodes all pages are on the node of that thread.
 *
 *	demo [SECONDS [THREADS]]
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 1 << 19, PER_ROW = 8, COLUMNS = 16 << 20, MAX_THREADS = 64 };

struct matrix {
	double *values;    /* ROWS * PER_ROW values, row by row */
	uint32_t *columns; /* the column of each value */
};

static struct matrix matrix;
static double *vector; /* read at matrix.columns[], so at random */
static double *result;
static double scale[1024];
static double seconds = 4;
static long threads;

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

static void *must_have(void *p)
{
	if (!p) {
		perror("demo");
		exit(1);
	}
	return p;
}

static void fill(void)
{
	uint64_t state = 1;

	matrix.values = must_have(calloc((size_t)ROWS * PER_ROW, sizeof(double)));
	matrix.columns = must_have(calloc((size_t)ROWS * PER_ROW, sizeof(uint32_t)));
	vector = must_have(calloc(COLUMNS, sizeof(double)));
	result = must_have(calloc(ROWS, sizeof(double)));
	for (size_t i = 0; i < (size_t)ROWS * PER_ROW; i++) {
		matrix.values[i] = (double)(i % 7);
		matrix.columns[i] = (uint32_t)(next_random(&state) % COLUMNS);
	}
	for (size_t i = 0; i < COLUMNS; i++)
		vector[i] = (double)(i % 11);
	for (size_t i = 0; i < 1024; i++)
		scale[i] = 1.0 / (double)(i + 1);
}

static void multiply(size_t from, size_t to)
{
	for (size_t row = from; row < to; row++) {
		double sum = 0;

		for (size_t i = row * PER_ROW; i < (row + 1) * PER_ROW; i++)
			sum += matrix.values[i] * vector[matrix.columns[i]];
		result[row] = sum * scale[row & 1023];
	}
}

static double thread_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void *worker(void *arg)
{
	size_t part = ROWS / (size_t)threads;
	size_t from = (size_t)(intptr_t)arg * part;

	while (thread_seconds() < seconds / (double)threads)
		multiply(from, from + part);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t ids[MAX_THREADS];

	if (argc > 1)
		seconds = atof(argv[1]);
	threads = argc > 2 ? atol(argv[2]) : sysconf(_SC_NPROCESSORS_ONLN);
	if (threads < 1 || threads > MAX_THREADS)
		threads = MAX_THREADS;
	fill();
	for (long t = 0; t < threads; t++)
		if (pthread_create(&ids[t], NULL, worker, (void *)(intptr_t)t))
			return 1;
	for (long t = 0; t < threads; t++)
		pthread_join(ids[t], NULL);
	printf("demo: %ld threads, result[1] = %g\n", threads, result[1]);
	return 0;
}
