/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PageRank by pulling, with OpenMP and std::vector: reads the scores of the neighbours (32 MiB) at
 * random, and uses `neighbours` (64 MiB), `first` (16 MiB) and `incoming` (32 MiB) in order. */
// options -fopenmp
// object scores -DSCORE_MASK=63
// object neighbours -DNEIGHBOUR_MASK=63
// object incoming -DINCOMING_MASK=63
#include <vector>

#include "program.h"

enum { VERTICES = 1 << 22, DEGREE = 4 };
#ifndef SCORE_MASK
#define SCORE_MASK (VERTICES - 1)
#endif
#ifndef NEIGHBOUR_MASK
#define NEIGHBOUR_MASK (VERTICES * DEGREE - 1)
#endif
#ifndef INCOMING_MASK
#define INCOMING_MASK (VERTICES - 1)
#endif

static std::vector<uint32_t> first, neighbours;
static std::vector<double> scores, incoming;

void init(void)
{
	first.resize(VERTICES + 1);
	neighbours.resize(VERTICES * DEGREE);
	scores.resize(VERTICES, 1);
	incoming.resize(VERTICES, 0);
	for (uint32_t v = 0; v <= VERTICES; v++)
		first[v] = v * DEGREE;
	for (uint32_t &v : neighbours)
		v = random_number();
}

double kernel(void)
{
	for (int repeat = 0; repeat < 4; repeat++) {
#pragma omp parallel for schedule(dynamic, 4096)
		for (uint32_t v = 0; v < VERTICES; v++) {
			double sum = 0;

			for (uint32_t e = first[v]; e < first[v + 1]; e++)
				sum += scores[MIX(neighbours[e & NEIGHBOUR_MASK], e) & SCORE_MASK];
			incoming[v & INCOMING_MASK] = sum * .85 + .15;
		}
	}
	return incoming[7];
}
