/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks up energies as a simulation of particle transport does: a binary search in the grid of
 * energies (16 MiB) leads to an index for each of 6 nuclides (48 MiB), and the index to a point of
 * the nuclide (72 MiB), at which the cross section is interpolated. */
// held out
// object grid -DGRID_MASK=63
// object index -DINDEX_MASK=63
// object points -DPOINT_MASK=63
#include "program.h"

enum { ENERGIES = 1 << 21, NUCLIDES = 6, POINTS = 1 << 19, LOOKUPS = 700000 };
#ifndef GRID_MASK
#define GRID_MASK (ENERGIES - 1)
#endif
#ifndef INDEX_MASK
#define INDEX_MASK (ENERGIES - 1)
#endif
#ifndef POINT_MASK
#define POINT_MASK (POINTS - 1)
#endif

struct point {
	double energy, total, scatter;
};
static double *grid;
static uint32_t (*index)[NUCLIDES];
static struct point (*points)[POINTS];

void init(void)
{
	grid = malloc(ENERGIES * sizeof(*grid));
	index = malloc(ENERGIES * sizeof(*index));
	points = malloc(NUCLIDES * sizeof(*points));
	for (int i = 0; i < ENERGIES; i++) {
		grid[i] = i;
		for (int k = 0; k < NUCLIDES; k++)
			index[i][k] = random_number();
	}
	for (int k = 0; k < NUCLIDES; k++)
		for (int i = 0; i < POINTS; i++)
			points[k][i] = (struct point){ i, 0.5, 0.25 };
}

/* Has no branch that depends on `grid`, so no jump is easier to predict if `grid` is local. */
static uint32_t search(double energy)
{
	uint32_t low = 0;

	for (uint32_t step = ENERGIES / 2; step; step /= 2)
		low += (grid[(low + step) & GRID_MASK] <= energy) * step;
	return low;
}

double kernel(void)
{
	double sum = 0;

	for (uint32_t i = 0; i < LOOKUPS; i++) {
		double energy = (double)(random_number() % ENERGIES);
		uint32_t low = (search(energy) ^ i * 0x9E3779B1u) & (ENERGIES - 1);

		for (int k = 0; k < NUCLIDES; k++) {
			uint32_t at =
				MIX(index[low & INDEX_MASK][k], i * NUCLIDES + k) & (POINTS - 1);
			const struct point *p = &points[k][at & POINT_MASK];

			sum += p->total + (energy - p->energy) * p->scatter;
		}
	}
	return sum;
}
