/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes forces between molecules (48 MiB) and their neighbours, which are in a list (128 MiB, in
 * order): reads each neighbour at random, then computes a root and two divisions. Stores the sum of
 * the forces on each molecule (in order). */
// held out
// object molecules -DMOLECULE_MASK=63
// object neighbours -DNEIGHBOUR_MASK=63
// object forces -DFORCE_MASK=63
#include <math.h>

#include "program.h"

// options -fno-math-errno
enum { MOLECULES = 1 << 21, NEAR = 16 };
#ifndef MOLECULE_MASK
#define MOLECULE_MASK (MOLECULES - 1)
#endif
#ifndef NEIGHBOUR_MASK
#define NEIGHBOUR_MASK (MOLECULES * NEAR - 1)
#endif
#ifndef FORCE_MASK
#define FORCE_MASK (MOLECULES - 1)
#endif

struct place {
	double x, y, z;
};
static struct place *molecules, *forces;
static uint32_t *neighbours;

void init(void)
{
	molecules = malloc(MOLECULES * sizeof(*molecules));
	forces = calloc(MOLECULES, sizeof(*forces));
	neighbours = malloc(sizeof(*neighbours) * MOLECULES * NEAR);
	for (int i = 0; i < MOLECULES; i++)
		molecules[i] = (struct place){ random_number() / 4e9, random_number() / 4e9,
					       random_number() / 4e9 };
	for (int i = 0; i < MOLECULES * NEAR; i++)
		neighbours[i] = random_number();
}

double kernel(void)
{
	for (uint32_t i = 0; i < MOLECULES; i++) {
		const struct place a = molecules[i & MOLECULE_MASK];
		struct place sum = { 0, 0, 0 };

		for (uint32_t k = i * NEAR; k < (i + 1) * NEAR; k++) {
			uint32_t n = MIX(neighbours[k & NEIGHBOUR_MASK], k) & (MOLECULES - 1);
			const struct place *b = &molecules[n & MOLECULE_MASK];
			double x = a.x - b->x, y = a.y - b->y, z = a.z - b->z;
			double far = sqrt(x * x + y * y + z * z + 0.01);
			double force = 1 / (far * far * far) - 1 / far;

			sum.x += force * x;
			sum.y += force * y;
			sum.z += force * z;
		}
		forces[i & FORCE_MASK] = sum;
	}
	return forces[7].x;
}
