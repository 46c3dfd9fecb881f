/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the parts of a stack that can be read. Main's stack is known by its end and its limit,
 * without system calls. Another thread's stack stays mapped while the thread lives, so a part found
 * readable costs two comparisons from then on. Any other stack (coroutine, signal stack) may be
 * unmapped at any time, so its pages are checked in every walk.
 *
 * A check takes two system calls per page. mincore() shows whether the program has touched the
 * page. An untouched page must stay untouched, because the first touch decides on its node, and a
 * frame may contain many such pages. Then rt_sigprocmask() with an invalid argument, which
 * sandboxes allow, shows whether the page is readable.
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

/*
 * The range that one walk may read: upward from floor, and the part that is known to be readable.
 */
struct stack_reach {
	uint64_t floor;
	struct stack_range known;
};

/* Finds the own stack of the calling thread, if sp lies in it. Otherwise *own is empty, at the
 * place where the stack would end. */
void range_find_own(struct stack_range *own, uint64_t sp);

/* Starts a walk upward from sp. If sp lies in the thread's own stack, the rest of that stack is
 * known to be readable. Otherwise nothing is known yet. */
void range_start(struct stack_reach *r, const struct stack_range *own, uint64_t sp);

/* Can the word at an address be read? False below r->floor. Checks if it is unknown, and extends
 * r->known, and *own if both meet. */
bool range_has_word(struct stack_reach *r, struct stack_range *own, uint64_t address);

/* Was this the stack pointer at the process's entry point? There are no frames outside it. */
bool range_is_entry(uint64_t sp);

/* Has the program touched the page of an address, and is it readable now? */
bool range_page_readable(uint64_t address);

#endif
