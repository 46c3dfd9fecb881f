/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stencil and a matrix product whose accesses can be counted on paper. Built for the sampler
 * soft. There are four threads, one on each of four nodes with one CPU. Each first touches a
 * quarter of the rows of all arrays, and computes these rows. A row begins on a page of its own.
 * Elements are volatile, so each is accessed one by one, whatever the compiler does.
 *
 * stencil: for each row but the first and the last, element i (1 to 510) of `out` is the sum of
 * element i of `in` and of its four neighbours. product: c = a b, for 64 x 64 elements.
 */
#include <numaif.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { THREADS = 4, ROWS = 64, COLUMNS = 512, PART = ROWS / THREADS, SIZE = 64 };

typedef volatile double row[COLUMNS];
_Alignas(4096) static row in[ROWS], out[ROWS], a[ROWS], b[ROWS], c[ROWS];
static pthread_barrier_t barrier;

static void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		exit(2);
}

/* Requests that the kernel move the rows to `node`, on which they are already. Nothing moves, but
 * after such a call the tracker queries the nodes of the pages. */
static void settle(row *rows, int node)
{
	void *pages[PART];
	int nodes[PART], states[PART];

	for (int r = 0; r < PART; r++) {
		pages[r] = (void *)rows[r];
		nodes[r] = node;
	}
	if (move_pages(0, PART, pages, nodes, states, MPOL_MF_MOVE))
		exit(2);
}

static void touch(int node)
{
	row *const arrays[] = { in, out, a, b, c };

	for (int i = 0; i < 5; i++) {
		for (int r = 0; r < PART; r++)
			arrays[i][node * PART + r][0] = 1;
		settle(arrays[i] + node * PART, node);
	}
}

__attribute__((noinline)) static void stencil(int first)
{
	for (int r = first ? first : 1; r < first + PART && r < ROWS - 1; r++)
		for (int x = 1; x < COLUMNS - 1; x++)
			out[r][x] = in[r][x] + in[r][x - 1] + in[r][x + 1] + in[r - 1][x] +
				    in[r + 1][x];
}

__attribute__((noinline)) static void product(int first)
{
	for (int i = first; i < first + PART; i++)
		for (int k = 0; k < SIZE; k++)
			for (int j = 0; j < SIZE; j++)
				c[i][j] += a[i][k] * b[k][j];
}

static void *work(void *arg)
{
	const int me = (int)(long)arg;

	run_on(me);
	touch(me);
	pthread_barrier_wait(&barrier);
	stencil(me * PART);
	product(me * PART);
	pthread_barrier_wait(&barrier);
	return NULL;
}

int main(void)
{
	pthread_t t[THREADS];

	if (pthread_barrier_init(&barrier, NULL, THREADS))
		return 2;
	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&t[i], NULL, work, (void *)i))
			return 2;
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return 0;
}
