/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Repeats one step of a breadth-first search in a random graph on the heap: 1 million vertices with
 * 8 edges each. `edges` has 32 MiB, `level` and `queue` have 4 MiB each. One edge in eight is
 * followed, whatever is in `level`, so the jump is not easier to predict if `level` is local. */
// object edges -DEDGE_MASK=4095
// object level -DLEVEL_MASK=63
// object queue -DQUEUE_MASK=63
#include <string.h>

#include "program.h"

enum { VERTICES = 1 << 20, DEGREE = 8 };
#ifndef EDGE_MASK
#define EDGE_MASK (VERTICES * DEGREE - 1)
#endif
#ifndef LEVEL_MASK
#define LEVEL_MASK (VERTICES - 1)
#endif
#ifndef QUEUE_MASK
#define QUEUE_MASK (VERTICES - 1)
#endif

static uint32_t *edges, *level, *queue;

void init(void)
{
	edges = malloc(VERTICES * DEGREE * sizeof(*edges));
	level = malloc(VERTICES * sizeof(*level));
	queue = malloc(VERTICES * sizeof(*queue));
	for (int i = 0; i < VERTICES * DEGREE; i++)
		edges[i] = random_number();
	memset(level, 0, VERTICES * sizeof(*level));
	for (int i = 0; i < VERTICES; i++)
		queue[i] = random_number();
}

double kernel(void)
{
	uint32_t followed = 0;

	for (uint32_t now = 1; now < 8; now++) {
		for (uint32_t i = 0; i < VERTICES; i++) {
			uint32_t v = MIX(queue[i & QUEUE_MASK], i) % VERTICES, last = v;

			for (uint32_t e = v * DEGREE; e < v * DEGREE + DEGREE; e++) {
				uint32_t to = MIX(edges[e & EDGE_MASK], e * now);

				if (((level[to & LEVEL_MASK] ^ to >> 24) & 7) == 0) {
					level[to & LEVEL_MASK] = now;
					last = to;
					followed++;
				}
			}
			queue[i & QUEUE_MASK] = last;
		}
	}
	return followed;
}
