/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Remembers the function frames on each thread's stack that samples have shown.
 *
 * A sample shows the frame of the interrupted function: this frame lies between the stack pointer
 * and the CFA (the stack pointer before the call), which follows from the registers. A copy of the
 * stack also shows the frames of some callers. Frames farther out are remembered from earlier
 * samples. A remembered frame ends when the stack pointer is seen above it, or when another frame
 * is seen in its place.
 *
 * A remembered frame may no longer be open: between two samples its function may have returned and
 * another function may have been called. So each sample marks the remembered frames that it
 * confirms, and only marked frames are used.
 */
#ifndef MEMDB_MODEL_SEEN_FRAMES_H
#define MEMDB_MODEL_SEEN_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/index.h"

struct frame {
	uint64_t sp, cfa; /* the frame is [sp, cfa); sp is the lowest stack pointer that was seen */
	/* the stack pointer in the last sample that showed the frame; 0 means unknown */
	uint64_t now_sp;
	/* code location at which the frame's function was in that sample; for a caller, one byte
	 * before the return address */
	uint32_t location;
	uint32_t symbol; /* the frame's function; never 0 */
	uint64_t seen;   /* value of thread_frames.now at the last sample that confirmed the
			  * frame */
	uint64_t shown;  /* number of the call of frames_show() that added or changed it last */
};

/* The frames of one thread: outermost first, without overlaps. */
struct thread_frames {
	struct frame *at;
	uint32_t n, cap;
	uint64_t now;   /* number of the current sample of this thread, counted from 1 */
	uint64_t shows; /* number of calls of frames_show() */
	/* process.image (process.h) at the last sample; if the process's value is now different,
	 * exec() has ended all frames */
	uint32_t image;
};

/* The frames of all threads; at[] is indexed by threads.id. */
struct frames {
	struct thread_frames *at;
	uint32_t n, cap;
};

void frames_release(struct frames *f);

/* Returns the frames of a thread. The first call creates the list. NULL means out of memory. */
struct thread_frames *frames_of(struct frames *f, uint32_t thread);

/* Must be called first for each new sample of the thread. Removes the frames that end at or below
 * sp, and all frames if the process has executed another program (`image` has changed). */
void frames_begin(struct thread_frames *t, uint32_t image, uint64_t sp);

/* Adds the frame *shown, which the current sample shows, or marks it as seen again; its members
 * `seen` and `shown` are ignored. Removes the frames in its place. Frames may be added in any
 * order. Returns false when out of memory. */
bool frames_show(struct thread_frames *t, const struct frame *shown);

/*
 * Returns the frame that contains the address, or NULL. The `below` bytes under the innermost frame
 * count as a part of it: its red zone, which a function may use without moving the stack pointer.
 */
struct frame *frames_at(struct thread_frames *t, uint64_t address, uint64_t below);

#endif
