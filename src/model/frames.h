/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Remembers the function frames on each thread's stack, as far as samples have shown them.
 *
 * A sample shows the frame of the interrupted function: it lies between the stack pointer and the
 * CFA that the registers give. A copy of the stack also shows the frames of some callers. Frames
 * farther out are remembered from earlier samples. A remembered frame ends when the stack pointer
 * is seen above it, or when another frame is seen in its place.
 *
 * That is no proof that a remembered frame is still open: between two samples its function may have
 * returned and another one may have been called. So each observation marks the remembered frames
 * that it confirms, and only those are used.
 */
#ifndef MEMDB_MODEL_FRAMES_H
#define MEMDB_MODEL_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/index.h"

struct frame {
	uint64_t sp, cfa; /* the frame lies in [sp, cfa); sp is the lowest stack pointer seen */
	uint64_t now_sp;  /* the latest stack pointer */
	/* the code of the function that ran last; for a caller, one byte before the return address
	 */
	uint32_t location;
	uint32_t symbol; /* its function, never 0 */
	uint64_t seen;   /* number of the last observation that confirmed it */
};

/* Frames of one thread: outermost first, disjoint. */
struct thread_frames {
	struct frame *at;
	uint32_t n, cap;
	uint64_t now;   /* observations so far */
	uint32_t image; /* struct process.image; exec ends all frames */
};

/* By threads.id. */
struct frames {
	struct thread_frames *at;
	uint32_t n, cap;
};

void frames_release(struct frames *f);

/* Returns the frames of a thread, created if necessary. NULL when out of memory. */
struct thread_frames *frames_of(struct frames *f, uint32_t thread);

/* Starts an observation of the thread. Removes frames that end at or below sp, and all frames if
 * the program image has changed. */
void frames_begin(struct thread_frames *t, uint32_t image, uint64_t sp);

/* Adds a frame to the observation (`seen` is set here). Show outer frames before inner ones. False
 * when out of memory. */
bool frames_show(struct thread_frames *t, const struct frame *shown);

/* Returns the frame that contains address, or NULL. below: bytes under the innermost frame that
 * count as part of that frame (the red zone). */
struct frame *frames_at(struct thread_frames *t, uint64_t address, uint64_t below);

#endif
