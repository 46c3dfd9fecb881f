/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which functions' frames lie on each thread's stack, as far as samples have shown.
 *
 * A sample shows the frame of the function that was interrupted, between the stack pointer and the
 * CFA that its registers give; a copy of the stack shows those of some callers too. Frames farther
 * out are remembered from when they were shown themselves. A remembered frame ends when the stack
 * pointer is seen above it, or another frame in its place. That alone does not prove that it is
 * still open (its function may have returned, and another one have been called, between two
 * samples): so each observation says again which of the remembered ones it confirms, and only those
 * are believed.
 */
#ifndef MEMDB_MODEL_FRAMES_H
#define MEMDB_MODEL_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/index.h"

struct frame {
	uint64_t sp, cfa;  /* it lies in [sp, cfa): the lowest stack pointer that was seen */
	uint64_t now_sp;   /* the last one */
	uint32_t location; /* of the code in it that ran last; of callers one before the return */
	uint32_t symbol;   /* its function's, never 0 */
	uint64_t seen;     /* the last observation that confirmed it */
};

/* Of one thread: outermost first, disjoint. */
struct thread_frames {
	struct frame *at;
	uint32_t n, cap;
	uint64_t now;   /* observations so far */
	uint32_t image; /* of the program that it runs: after exec nothing remains */
};

/* By threads.id. */
struct frames {
	struct thread_frames *at;
	uint32_t n, cap;
};

void frames_release(struct frames *f);

/* The thread's, made if need be; NULL when out of memory. */
struct thread_frames *frames_of(struct frames *f, uint32_t thread);

/* An observation of the thread begins: frames that end at or below sp are gone, and
 * all where the program is another image. */
void frames_begin(struct thread_frames *t, uint32_t image, uint64_t sp);

/* The observation shows this frame (seen is set here), after all that it shows farther out. False
 * when out of memory. */
bool frames_show(struct thread_frames *t, const struct frame *shown);

/* The frame at address, NULL if none is remembered there. below: bytes below the innermost frame
 * that belong to it. */
struct frame *frames_at(struct thread_frames *t, uint64_t address, uint64_t below);

#endif
