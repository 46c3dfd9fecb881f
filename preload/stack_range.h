/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which parts of a stack can be read. Main's stack is known by its end and its limit, without
 * system calls. Another thread's stack stays mapped while the thread lives, so a part found
 * readable costs two comparisons from then on. Any other stack (coroutine, signal stack) may be
 * unmapped at any time, so its pages are checked in every walk.
 *
 * A check takes two system calls for a page. mincore() tells whether the program has touched the
 * page: an untouched page must stay so, because the first touch decides on its node, and a frame
 * may contain many such pages. Then rt_sigprocmask() with an invalid argument, which sandboxes
 * allow, tells whether the page is readable.
 */
#ifndef MEMDB_PRELOAD_STACK_RANGE_H
#define MEMDB_PRELOAD_STACK_RANGE_H

#include <stdbool.h>
#include <stdint.h>

/* Addresses [lo, hi). */
struct stack_range {
	uint64_t lo;
	uint64_t hi;
};

/* What one walk may read: upward from floor, as far as is known without a check. */
struct stack_reach {
	uint64_t floor;
	struct stack_range known;
};

/* Finds the own stack of the calling thread, if sp lies in it; else *own is empty but stores where
 * the stack would end. */
void range_find_own(struct stack_range *own, uint64_t sp);

/* What can be read upward from sp without a check: the rest of the own stack, or nothing yet. */
void range_start(struct stack_reach *r, const struct stack_range *own, uint64_t sp);

/* Can the word at an address, not below r->floor, be read? Checks if that is unknown, and extends
 * r->known, and *own if both meet. */
bool range_has_word(struct stack_reach *r, struct stack_range *own, uint64_t address);

/* Was this the stack pointer at the process's entry point? There are no frames outside it. */
bool range_is_entry(uint64_t sp);

/* Has the program touched the page of an address, and is it readable now? */
bool range_page_readable(uint64_t address);

#endif
