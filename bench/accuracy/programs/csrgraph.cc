/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Label propagation over a graph in compressed rows: `starts` has the place in `neighbours` where
 * the neighbours of a vertex begin (8 MiB), `neighbours` has their numbers (64 MiB), `labels` has
 * the label of each vertex (4 MiB), and `votes` counts each label (16 KiB). */
// held out
// object starts -DSTART_MASK=63
// object neighbours -DNEIGHBOUR_MASK=63
// object labels -DLABEL_MASK=63
// object votes -DVOTE_MASK=7
#include <vector>

#include "program.h"

enum { VERTICES = 1 << 20, DEGREE = 16, EDGES = VERTICES * DEGREE, LABELS = 1 << 12 };
#ifndef START_MASK
#define START_MASK (VERTICES - 1)
#endif
#ifndef NEIGHBOUR_MASK
#define NEIGHBOUR_MASK (EDGES - 1)
#endif
#ifndef LABEL_MASK
#define LABEL_MASK (VERTICES - 1)
#endif
#ifndef VOTE_MASK
#define VOTE_MASK (LABELS - 1)
#endif

static std::vector<uint64_t> starts;
static std::vector<uint32_t> neighbours, labels, votes;

void init(void)
{
	starts.resize(VERTICES + 1);
	neighbours.resize(EDGES);
	labels.resize(VERTICES);
	votes.resize(LABELS);
	for (uint64_t i = 0; i <= VERTICES; i++)
		starts[i] = i * DEGREE;
	for (uint32_t &n : neighbours)
		n = random_number();
	for (uint32_t &l : labels)
		l = random_number() % LABELS;
}

double kernel(void)
{
	uint64_t changed = 0;

	for (uint32_t repeat = 0; repeat < 6; repeat++) {
		for (uint32_t v = 0; v < VERTICES; v++) {
			/* The start of the row of v, even if `starts` is local. */
			uint64_t start = (starts[v & START_MASK] & 15) + (uint64_t)v * DEGREE;
			uint32_t best = 0;

			for (uint64_t e = start; e < start + DEGREE; e++) {
				uint32_t to = MIX(neighbours[e & NEIGHBOUR_MASK], e + repeat);
				uint32_t label = labels[(to ^ to >> 15) & LABEL_MASK];

				votes[label & VOTE_MASK]++;
				best = label > best ? label : best;
			}
			changed += best;
		}
	}
	return (double)changed;
}
