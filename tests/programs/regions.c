/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that main() calls in turn, so that their frames lie at the same place. The threads of
 * parallel regions work on the local arrays of each. */
#include "answer.h"

enum { N = 1 << 13, ROUNDS = 30, THREADS = 3 };
static volatile double sink;

/* Repeats the next statement until the calling thread has used ns of CPU time for it. */
#define UNTIL(ns) for (int64_t end_ = cpu_ns() + (ns); cpu_ns() < end_;)

NOINLINE void first(void)
{
	double alpha[N];
	int64_t from = now_ns();

	for (long i = 0; i < N; i++)
		alpha[i] = i;
	UNTIL(2000000)
#pragma omp parallel for num_threads(THREADS)
	for (long i = 0; i < N; i++)
		alpha[i] = alpha[i] * 0.999 + (double)i;
	tell_array("first::alpha", alpha, sizeof(alpha), 0, from, now_ns());
	sink = alpha[7];
}

/* exchanges its arrays, so that no register has the address of the same one for long */
NOINLINE void second(void)
{
	double beta[N], gamma[N];
	int64_t from = now_ns();

	for (long i = 0; i < N; i++)
		beta[i] = gamma[i] = i;
	UNTIL(2000000)
#pragma omp parallel num_threads(THREADS)
	{
		double *in = gamma, *out = beta, *t;
		for (int k = 0; k < 4; k++) {
#pragma omp for
			for (long i = 0; i < N; i++)
				out[i] = in[i] * 0.999 + (double)i;
			t = in, in = out, out = t;
		}
	}
	tell_array("second::beta", beta, sizeof(beta), 0, from, now_ns());
	tell_array("second::gamma", gamma, sizeof(gamma), 0, from, now_ns());
	sink = beta[7];
}

struct body {
	double x, v, m;
	long id;
};

/* is called at two depths */
NOINLINE void third(void)
{
	struct body bodies[N / 4];
	int64_t from = now_ns();

	for (long i = 0; i < N / 4; i++)
		bodies[i] = (struct body){ i, i, i, i };
	UNTIL(2000000)
#pragma omp parallel for num_threads(THREADS)
	for (long i = 0; i < N / 4; i++)
		bodies[i].x += bodies[i].v * 0.01;
	tell_array("third::bodies", bodies, sizeof(bodies), 0, from, now_ns());
	sink = bodies[7].x;
}

/* Its array lies where that of third() was. */
NOINLINE void deeper(void)
{
	double own[N];
	int64_t from = now_ns();

	for (long i = 0; i < N; i++)
		own[i] = i;
	UNTIL(1000000)
#pragma omp parallel for num_threads(THREADS)
	for (long i = 0; i < N; i++)
		own[i] = own[i] * 0.999 + (double)i;
	tell_array("deeper::own", own, sizeof(own), 0, from, now_ns());
	third();
	sink = own[7];
}

static inline __attribute__((always_inline)) void inlined(double *by)
{
	double within[N];
	int64_t from = now_ns();

	for (long i = 0; i < N; i++)
		within[i] = i;
	UNTIL(2000000)
#pragma omp parallel for num_threads(THREADS)
	for (long i = 0; i < N; i++)
		within[i] = within[i] * 0.999 + by[i];
	tell_array("inlined::within", within, sizeof(within), 0, from, now_ns());
	tell_array("around::by", by, N * sizeof(*by), 0, from, now_ns());
	sink = within[7];
}

NOINLINE void around(void)
{
	double by[N];

	for (long i = 0; i < N; i++)
		by[i] = i;
	inlined(by);
	sink = by[7];
}

NOINLINE void level(int n)
{
	double depth[N];
	int64_t from = now_ns();

	for (long i = 0; i < N; i++)
		depth[i] = i;
	UNTIL(1000000)
#pragma omp parallel for num_threads(THREADS)
	for (long i = 0; i < N; i++)
		depth[i] = depth[i] * 0.999 + (double)i;
	tell_array("level::depth", depth, sizeof(depth), 0, from, now_ns());
	if (n)
		level(n - 1);
	from = now_ns();
	UNTIL(1000000)
#pragma omp parallel for num_threads(THREADS)
	for (long i = 0; i < N; i++)
		depth[i] = depth[i] * 0.999 + (double)i;
	tell_array("level::depth", depth, sizeof(depth), 0, from, now_ns());
	sink = depth[7];
}

NOINLINE static void add(double *__restrict to, const double *__restrict what, long n)
{
	for (long i = 0; i < n; i++)
		to[i] += what[i];
}

/* Its region accesses the arrays only in a function that it calls. */
NOINLINE void calls(void)
{
	double sum[N], part[N];
	int64_t from = now_ns();

	for (long i = 0; i < N; i++)
		sum[i] = part[i] = i;
	UNTIL(2000000)
#pragma omp parallel for num_threads(THREADS)
	for (long i = 0; i < N; i += 512)
		add(sum + i, part + i, 512);
	tell_array("calls::sum", sum, sizeof(sum), 0, from, now_ns());
	tell_array("calls::part", part, sizeof(part), 0, from, now_ns());
	sink = sum[7];
}

int main(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		first();
		second();
		third();
		deeper();
		around();
		level(2);
		calls();
	}
	return 0;
}
