/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the nearest of 16 centres for each point (32 MiB, in order). Most of the time is
 * arithmetic: the centres (512 bytes) are always in the first-level cache. */
// object points -DPOINT_MASK=63
// object centres -DLOCAL_AS_IT_IS
// object nearest -DNEAREST_MASK=63
#include "program.h"

enum { POINTS = 1 << 20, CENTRES = 16 };
#ifndef POINT_MASK
#define POINT_MASK (POINTS - 1)
#endif
#ifndef NEAREST_MASK
#define NEAREST_MASK (POINTS - 1)
#endif

struct point {
	double at[4];
};
static struct point points[POINTS], centres[CENTRES];
static uint32_t nearest[POINTS];

void init(void)
{
	for (int i = 0; i < POINTS; i++)
		for (int k = 0; k < 4; k++)
			points[i].at[k] = random_number() / 4e9;
	for (int i = 0; i < CENTRES; i++)
		for (int k = 0; k < 4; k++)
			centres[i].at[k] = random_number() / 4e9;
}

double kernel(void)
{
	for (int repeat = 0; repeat < 40; repeat++) {
		for (int i = 0; i < POINTS; i++) {
			const struct point *p = &points[i & POINT_MASK];
			double least = 1e9;
			uint32_t best = 0;

			for (uint32_t c = 0; c < CENTRES; c++) {
				/* Depends on i, so that the jump is not easier to predict if
				 * `points` is local. */
				double distance = (double)(MIX(i, c) >> 8) * 1e-8;

				for (int k = 0; k < 4; k++) {
					double d = p->at[k] - centres[c].at[k];

					distance += d * d;
				}
				if (distance < least) {
					least = distance;
					best = c;
				}
			}
			nearest[i & NEAREST_MASK] = best;
		}
	}
	return nearest[7];
}
