/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The places that a search through a function's code has reached: each is an instruction and a
 * register whose value there is of interest. Used only in waits/. */
#ifndef MEMDB_WAITS_PLACES_H
#define MEMDB_WAITS_PLACES_H

#include "base/index.h"

#include <stdbool.h>
#include <stdint.h>

/* The value of interest is in register `reg` of body.h just before instruction k runs. */
struct place {
	uint32_t k;
	int reg;
};

/* All places that were reached, in this order. A struct of zeros contains none. */
struct places {
	struct place *at;
	uint32_t n, cap;
	struct index index;
};

/* Adds a place, unless it is known already. Returns false when out of memory. */
bool places_add(struct places *p, uint32_t k, int reg);
void places_release(struct places *p);

#endif
