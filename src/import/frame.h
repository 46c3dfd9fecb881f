/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses on stacks: to the frames and the local variables that lie there. */
#ifndef MEMDB_IMPORT_FRAME_H
#define MEMDB_IMPORT_FRAME_H

#include <stdint.h>

#include "model/frames.h"
#include "model/objects.h"

struct import;
struct pd_sample;

/* A sample, as far as it shows frames. */
struct frame_sample {
	const struct pd_sample *s;
	uint32_t process, thread; /* not 0 */
	uint32_t path;            /* as chain_path() has just answered for it */
	uint64_t sp;              /* the user's stack pointer, not 0 */
};

/* Notes the frames that a sample shows, and which of those farther out are still open by it. Costs
 * some 0.2 µs. */
void frame_see(struct import *im, const struct frame_sample *f);

/* Narrows a place on a thread's stack down to the variable or the frame that lies there, if that is
 * certain. frame_see() has been called for the sample. */
void frame_place(struct import *im, const struct frame_sample *f, uint64_t address,
		 struct place *place);

#endif
