/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the nearest of 65536 points of 24 dimensions (12 MiB) to each query, for 8 queries at a
 * time: each point is compared with all of them while it is in the first-level cache. */
// held out
// object points -DPOINT(i)=((i)&1)
// object queries -DQUERY(i)=((i)&1)
// object distances -DDISTANCE(i)=((i)&1)
#include "program.h"

enum { POINTS = 1 << 16, QUERIES = 1024, GROUP = 8, DIMENSIONS = 24 };
#ifndef POINT
#define POINT(i) (i)
#endif
#ifndef QUERY
#define QUERY(i) (i)
#endif
#ifndef DISTANCE
#define DISTANCE(i) (i)
#endif

static double points[POINTS][DIMENSIONS], queries[QUERIES][DIMENSIONS];
static double distances[QUERIES];
static volatile size_t dimensions = DIMENSIONS;

void init(void)
{
	for (int i = 0; i < POINTS; i++)
		for (int k = 0; k < DIMENSIONS; k++)
			points[i][k] = random_number() & 1023;
	for (int i = 0; i < QUERIES; i++) {
		distances[i] = 1e300;
		for (int k = 0; k < DIMENSIONS; k++)
			queries[i][k] = random_number() & 1023;
	}
}

double kernel(void)
{
	const size_t n = dimensions;
	double sum = 0;

	for (size_t first = 0; first < QUERIES; first += GROUP)
		for (size_t p = 0; p < POINTS; p++)
			for (size_t q = first; q < first + GROUP; q++) {
				const double *x = points[POINT(p)], *y = queries[QUERY(q)];
				double d = 0;

				for (size_t k = 0; k < n; k++)
					d += (x[k] - y[k]) * (x[k] - y[k]);
				if (d < distances[DISTANCE(q)])
					distances[DISTANCE(q)] = d;
			}
	for (int q = 0; q < QUERIES; q++)
		sum += distances[q];
	return sum;
}
