// SPDX-License-Identifier: GPL-2.0-or-later
// Computes forces between particles from neighbour lists, in std::vector: reads the lists (64 MiB,
// in order) and the positions of the neighbours (32 MiB, at random), and stores the forces (24 MiB,
// in order).
// held out
// object list -DLIST_MASK=63
// object positions -DPOSITION_MASK=63
// object forces -DFORCE_MASK=63
#include <cmath>
#include <vector>

#include "program.h"

enum { ATOMS = 1 << 20, NEAR = 16 };
#ifndef LIST_MASK
#define LIST_MASK (ATOMS * NEAR - 1)
#endif
#ifndef POSITION_MASK
#define POSITION_MASK (ATOMS - 1)
#endif
#ifndef FORCE_MASK
#define FORCE_MASK (ATOMS - 1)
#endif

struct place {
	double x, y, z, charge;
};
struct force {
	double x, y, z;
};
static std::vector<uint32_t> list;
static std::vector<place> positions;
static std::vector<force> forces;

void init(void)
{
	list.resize(ATOMS * NEAR);
	for (uint32_t &one : list)
		one = random_number();
	positions.resize(ATOMS);
	for (uint32_t i = 0; i < ATOMS; i++)
		positions[i] = place{ i * 1e-3, i * 2e-3, i * 3e-3, 1 };
	forces.resize(ATOMS);
}

double kernel(void)
{
	for (uint32_t step = 0; step < 2; step++) {
		for (uint32_t i = 0; i < ATOMS; i++) {
			const double x = i * 1e-3, y = i * 2e-3, z = i * 3e-3;
			force sum = { 0, 0, 0 };

			for (uint32_t k = i * NEAR; k < (i + 1) * NEAR; k++) {
				uint32_t j = MIX(list[k & LIST_MASK], k + step);
				const place &p = positions[(j ^ j >> 13) & POSITION_MASK];
				double dx = p.x - x, dy = p.y - y, dz = p.z - z;
				double r = dx * dx + dy * dy + dz * dz + 1;
				double f = p.charge / (r * std::sqrt(r));

				sum.x += dx * f;
				sum.y += dy * f;
				sum.z += dz * f;
			}
			force &out = forces[i & FORCE_MASK];
			out.x += sum.x;
			out.y += sum.y;
			out.z += sum.z;
		}
	}
	return forces[7].x + forces[9].z;
}
