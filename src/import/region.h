/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the frame of the function around a parallel region. The threads of the region access the
 * local variables of this function, but only its own thread has its frame in a call chain, and
 * rarely there.
 */
#ifndef MEMDB_IMPORT_REGION_H
#define MEMDB_IMPORT_REGION_H

#include "base/index.h"
#include "import/frame.h"

/* A code location in a region, and the register from which the CFA of the function around it can be
 * computed. */
struct region_place {
	uint32_t location;
	/* location in the function around the region; 0 means that no register is known */
	uint32_t user;
	int8_t reg;     /* PERF_REG_* of a register that contains the address of a variable */
	int64_t cfa;    /* the CFA of the function is the register plus this, bytes */
	uint64_t depth; /* from the stack pointer of the function to the CFA, bytes; 0: unknown */
	uint64_t bytes; /* size of the function's frame, or at least of the part with variables */
};

struct regions {
	struct {
		struct region_place *at;
		uint32_t n, cap;
	} places;
	struct index index;
	struct {
		/* indexed by the symbol of a region: 1 + the location in the function that passes
		 * the region to the runtime, 1 if it is unknown; 0 means not looked up yet */
		uint32_t *at;
		uint32_t n, cap;
	} users;
};

void regions_release(struct regions *r);

/* If the sample is in a parallel region, and a register certainly contains the address of a
 * variable of the function around it, adds this function's frame to the frames of its thread.
 * frames_begin() must have been called for the sample. Costs about 0.1 us; the first sample at an
 * instruction of a region decodes the region. */
void region_show(struct import *im, const struct frame_sample *f);

/* Is the code at this location a parallel region that the compiler moved out of the function
 * `owner` (a symbol), or out of a region of it? While the region runs, the frame of `owner` stays
 * open. */
bool region_is_of(struct import *im, uint32_t location, uint32_t owner);

/* Returns a location in the function that passes the region at this location to the runtime; 0
 * means that it is unknown. */
uint32_t region_user(struct import *im, uint32_t location);

/* Is the code at this location a parallel region? */
bool region_at(struct import *im, uint32_t location);

#endif
