/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the frames and local variables at addresses on stacks. */
#ifndef MEMDB_IMPORT_FRAME_H
#define MEMDB_IMPORT_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "model/seen_frames.h"
#include "model/objects.h"

struct accessor;
struct import;
struct pd_sample;
struct sample_path;

/* The parts of a sample from which the frames on its thread's stack are determined. */
struct frame_sample {
	const struct pd_sample *s;
	uint32_t process, thread; /* neither is 0 */
	uint32_t path;            /* the call path that chain_path() returned for this sample */
	uint64_t sp;              /* user stack pointer, not 0 */
	uint32_t location;        /* location of the sample's ip; 0 means unknown */
};

/* Is the symbol (0: none) main()? Its frame stays open from the start of the program to its end. */
bool frame_is_main(const struct import *im, uint32_t symbol);

/* Adds a frame to the frames of the thread; x.location is in its function. Sets x.symbol. Ignores a
 * frame that is empty or of 2 GiB and more, and one without a symbol. Sets im->nomem when out of
 * memory. */
void frame_add(struct import *im, uint32_t thread, struct frame x);

/* Stores the frames that a sample with this call path shows. Marks those frames of earlier samples
 * that are certainly still open. Costs about 0.2 µs. As long as the frame of main() is unknown, a
 * sample of the main thread also costs a callers_show(). */
void frame_see(struct import *im, const struct frame_sample *f, const struct sample_path *path);

/* If *place is a thread's stack, replaces it with a more exact answer, if one is certain: the local
 * variable at the address, the target of a pointer of the interrupted function, or the frame that
 * contains the address. `by` is the instruction that accessed the address; NULL means unknown. If
 * the address is only the base of an operand, and all known addresses of the instruction are in one
 * local variable (local_use.h), this is the answer. Otherwise, the variable at the base is not
 * certain if the address is next to an array. frame_see() must have been called for the sample. */
void frame_place(struct import *im, const struct frame_sample *f, uint64_t address,
		 const struct accessor *by, struct place *place);

/* Returns the local variable that certainly is at the address on the thread's stack `stack`; 0
 * means unknown. Sets *is_own: is it a variable of the interrupted function? frame_see() must have
 * been called for the sample. */
uint32_t frame_variable(struct import *im, const struct frame_sample *f, uint64_t address,
			uint32_t stack, bool *is_own);

/* An access at an unknown address belongs to the stack or frame `object`. If the code accesses
 * memory through a pointer to a certain variable, or if all known addresses of the instruction are
 * in one local variable (local_use.h), returns this variable; if these are two different ones,
 * returns `object`. Otherwise, if the pointer has a known
 * target, returns the object of that target. Otherwise returns `object`. */
uint32_t frame_target(struct import *im, const struct frame_sample *f, const struct accessor *by,
		      uint32_t object);

#endif
