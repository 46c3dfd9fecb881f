/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of a stack may be read. Main's own stack is known by its end and its limit: nothing is
 * asked. Another thread's own stack stays mapped while the thread lives, so what was found readable
 * of it costs two comparisons from then on. Any other stack (coroutine, signal stack) may be
 * unmapped at any time: its pages are asked for in every walk.
 *
 * Asking takes two system calls for a page. mincore() tells whether the program has touched it: a
 * page that it has not touched stays as it is, because the first touch decides on its node; a frame
 * between others may have many of them. Then rt_sigprocmask() with an impossible argument, which
 * sandboxes allow, tells whether the page can be read.
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

/* What one walk may read: upward from floor, as far as is known without asking. */
struct stack_reach {
	uint64_t floor;
	struct stack_range known;
};

/* Learns the own stack of the calling thread, if sp lies in it; else *own is empty but remembers
 * where it would end. */
void range_find_own(struct stack_range *own, uint64_t sp);

/* What can be read upward from sp without asking: the rest of the own stack, or nothing yet. */
void range_start(struct stack_reach *r, const struct stack_range *own, uint64_t sp);

/* Whether the word at an address, not below r->floor, can be read. Asks where it is not known, and
 * widens r->known, and *own where both meet. */
bool range_has_word(struct stack_reach *r, struct stack_range *own, uint64_t address);

/* Whether this was the stack pointer where the process was entered: outside are no frames. */
bool range_is_entry(uint64_t sp);

/* Whether the program has touched the page of an address, and it can be read now. */
bool range_page_readable(uint64_t address);

#endif
