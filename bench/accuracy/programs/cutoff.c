/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes forces between the atoms of boxes that are near each other, as molecular dynamics does:
 * for each atom of a box, for each atom of a box near it. The compiler may move the force of the
 * few pairs that are near enough out of the loop. An atom of the other box is used 16 times in a
 * row, so `positions` (24 MiB) and `forces` (24 MiB) are nearly always in the first-level cache. */
// object positions -DPOSITION_MASK=1023
// object forces -DFORCE_MASK=1023
// object near -DNEAR_AS_IT_IS
#include "program.h"

enum { BOXES = 1 << 16, ATOMS = 16, NEAR = 4 };
#ifndef POSITION_MASK
#define POSITION_MASK (BOXES * ATOMS - 1)
#endif
#ifndef FORCE_MASK
#define FORCE_MASK (BOXES * ATOMS - 1)
#endif

typedef double vector[3];
static vector *positions, *forces;
static uint32_t (*near)[NEAR];

void init(void)
{
	positions = malloc(BOXES * ATOMS * sizeof(*positions));
	forces = malloc(BOXES * ATOMS * sizeof(*forces));
	near = malloc(BOXES * sizeof(*near));
	for (int i = 0; i < BOXES * ATOMS; i++)
		for (int m = 0; m < 3; m++) {
			positions[i][m] = random_number() / 4294967296.0;
			forces[i][m] = 0;
		}
	for (int i = 0; i < BOXES; i++)
		for (int k = 0; k < NEAR; k++)
			near[i][k] = random_number() % BOXES;
}

double kernel(void)
{
	double energy = 0;

	for (uint32_t box = 0; box < BOXES; box++)
		for (uint32_t k = 0; k < NEAR; k++)
			for (uint32_t i = box * ATOMS; i < (box + 1) * ATOMS; i++)
				for (uint32_t j = near[box][k] * ATOMS;
				     j < (near[box][k] + 1) * ATOMS; j++) {
					vector apart;
					double square = 0, force;

					for (int m = 0; m < 3; m++) {
						apart[m] = positions[i & POSITION_MASK][m] -
							   positions[j & POSITION_MASK][m];
						square += apart[m] * apart[m];
					}
					if (square > 0.1 || square <= 0)
						continue;
					force = 1 / square;
					energy += force * (force - 1);
					for (int m = 0; m < 3; m++)
						forces[i & FORCE_MASK][m] -= apart[m] * force;
				}
	return energy;
}
