/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the frames of callers without a copy of the stack.
 */
#ifndef MEMDB_IMPORT_CALLERS_H
#define MEMDB_IMPORT_CALLERS_H

#include "base/index.h"
#include "import/frame.h"

/* The only call of a function, or all its calls, if they are in one function and at the same depth
 * of its frame. */
struct callers_function {
	bool is_looked_up;
	/* location of the last byte of (one of) the calls; 0 means that the caller or the depth is
	 * unknown */
	uint32_t call;
	uint64_t depth; /* distance from the function's CFA to its caller's CFA, bytes */
};

struct callers {
	struct {
		struct callers_function *at; /* indexed by symbol */
		uint32_t n, cap;
	} functions;
	struct {
		struct callers_depth {
			uint32_t location;
			uint64_t bytes; /* result of frame_depth() */
		} * at;
		uint32_t n, cap;
	} depths; /* of functions with a frame pointer */
	struct index depths_index;
};

void callers_release(struct callers *c);

/* Returns the distance from the stack pointer to the CFA at the instruction with this location, in
 * bytes; 0 means unknown. The stack pointer is that before the instruction. The first byte of a
 * function stands for several instructions (skipped_way()): unknown. */
uint64_t callers_depth(struct import *im, uint32_t location);

/* Returns the unwind rule for the CFA at the instruction with this location; `by` is 0 (none) if it
 * is unknown. */
struct sym_cfa callers_cfa(struct import *im, uint32_t location);

/* Adds the frames of the callers of the interrupted function to the frames of the sample's thread,
 * as far as they are certain. Their identity follows from the call chain or, if a function has only
 * one caller, from the code; their addresses follow from the innermost frame and the sizes of the
 * frames. frames_begin() must have been called for the sample. */
void callers_show(struct import *im, const struct frame_sample *f);

/* Returns the number of bytes from the lowest variable in the frame of the function at the location
 * to the CFA; 0 means unknown. */
uint64_t callers_variables(struct import *im, uint32_t location);

/* If the code has only one way from main() to the function at `location`, which certainly has not
 * returned, and if the frame of main() is known, adds the function's frame and those of its callers
 * to the frames of the main thread. */
void callers_show_from_main(struct import *im, const struct frame_sample *f, uint32_t location);

/* The call path of a sample from the caller of a function outwards. The path 0 means that a caller
 * may be missing there. */
struct callers_way {
	uint32_t path;
	bool unwound; /* no caller is missing in the whole path */
};

/* Returns the call path from the caller of the interrupted function outwards; 0 if the sample does
 * not show the caller. */
uint32_t callers_path(struct import *im, const struct frame_sample *f);

/* Returns the way from the interrupted function to its callers. */
struct callers_way callers_way(struct import *im, const struct frame_sample *f);

/* Returns the location of the last byte of the call at the beginning of the way, and goes outwards.
 * Returns 0 if the way does not certainly have this call, or if it is not a direct call of the
 * function at the location `called`: that may have been reached by a jump from another function. */
uint32_t callers_chained(struct import *im, uint32_t called, struct callers_way *w);

#endif
