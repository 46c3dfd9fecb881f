/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A structure of arrays: five arrays that are used in order (16 to 32 MiB each), and a grid that is
 * used at random (64 MiB). */
// object x|y -DPLACE_MASK=63 x y
// object vx|vy -DSPEED_MASK=63 vx vy
// object cell -DCELL_MASK=63
// object grid -DGRID_MASK=63
#include "program.h"

enum { PARTICLES = 1 << 22, CELLS = 1 << 23 };
#ifndef PLACE_MASK
#define PLACE_MASK (PARTICLES - 1)
#endif
#ifndef SPEED_MASK
#define SPEED_MASK (PARTICLES - 1)
#endif
#ifndef CELL_MASK
#define CELL_MASK (PARTICLES - 1)
#endif
#ifndef GRID_MASK
#define GRID_MASK (CELLS - 1)
#endif

static double x[PARTICLES], y[PARTICLES], vx[PARTICLES], vy[PARTICLES], grid[CELLS];
static uint32_t cell[PARTICLES];

void init(void)
{
	for (int i = 0; i < PARTICLES; i++) {
		x[i] = y[i] = vx[i] = vy[i] = 1;
		cell[i] = random_number();
	}
	for (int i = 0; i < CELLS; i++)
		grid[i] = 1;
}

double kernel(void)
{
	for (int repeat = 0; repeat < 14; repeat++) {
		for (uint32_t i = 0; i < PARTICLES; i++) {
			double force = grid[MIX(cell[i & CELL_MASK], i) & GRID_MASK];

			vx[i & SPEED_MASK] += force * .01;
			vy[i & SPEED_MASK] -= force * .02;
			x[i & PLACE_MASK] += vx[i & SPEED_MASK];
			y[i & PLACE_MASK] += vy[i & SPEED_MASK] * force;
		}
	}
	return x[7] + y[9];
}
