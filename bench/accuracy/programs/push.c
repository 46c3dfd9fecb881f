/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A particle push, on the heap: takes particles of one cache line each (64 MiB, in order), reads
 * the field at the particle's cell (64 MiB, at random), and adds to the density there (16 MiB, at
 * random). */
// held out
// object particles -DPARTICLE_MASK=63
// object field -DFIELD_MASK=63
// object density -DDENSITY_MASK=63
#include "program.h"

enum { PARTICLES = 1 << 20, CELLS = 1 << 22 };
#ifndef PARTICLE_MASK
#define PARTICLE_MASK (PARTICLES - 1)
#endif
#ifndef FIELD_MASK
#define FIELD_MASK (CELLS - 1)
#endif
#ifndef DENSITY_MASK
#define DENSITY_MASK (CELLS - 1)
#endif

struct particle {
	double at[3], speed[3];
	uint32_t cell, kind;
	double charge;
};
struct field {
	float force[4];
};
static struct particle *particles;
static struct field *field;
static float *density;

void init(void)
{
	particles = malloc(PARTICLES * sizeof(*particles));
	field = malloc(CELLS * sizeof(*field));
	density = malloc(CELLS * sizeof(*density));
	for (int i = 0; i < PARTICLES; i++)
		particles[i] = (struct particle){ .cell = random_number(), .charge = 1 };
	for (int i = 0; i < CELLS; i++) {
		field[i] = (struct field){ { 1, 2, 3, 4 } };
		density[i] = 0;
	}
}

double kernel(void)
{
	for (uint32_t step = 0; step < 24; step++) {
		for (uint32_t i = 0; i < PARTICLES; i++) {
			struct particle *p = &particles[i & PARTICLE_MASK];
			uint32_t cell = MIX(p->cell, i + step);
			const struct field *f = &field[(cell ^ cell >> 15) & FIELD_MASK];

			for (int k = 0; k < 3; k++) {
				p->speed[k] += p->charge * f->force[k] * 1e-3;
				p->at[k] += p->speed[k] * 1e-3;
			}
			density[(cell ^ cell >> 9) & DENSITY_MASK] += (float)p->charge;
		}
	}
	return particles[7].at[0] + density[9];
}
