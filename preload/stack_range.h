/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of a stack may be read. A thread's own stack stays mapped while the thread lives, so its
 * extent is learned once and then costs two comparisons. Any other stack (coroutine, signal stack)
 * may be unmapped at any time: its pages are asked for in every walk, one harmless system call for
 * each (rt_sigprocmask with an impossible argument, which needs no descriptor and which sandboxes
 * allow).
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

/* Learns the own stack of the calling thread, if sp lies in it; else *own is empty but remembers
 * where it would end. */
void range_find_own(struct stack_range *own, uint64_t sp);

/* What can be read upward from sp without asking: the rest of the own stack, or nothing yet. */
void range_start(struct stack_range *r, const struct stack_range *own, uint64_t sp);

/*
 * Whether the word at an address can be read: the address lies at or above r->lo with only readable
 * pages between. Widens *r by asking, and *own where *r reaches it.
 */
bool range_has_word(struct stack_range *r, struct stack_range *own, uint64_t address);

/* Whether this was the stack pointer where the process was entered: outside are no frames. */
bool range_is_entry(uint64_t sp);

/* Whether the page of an address can be read now. */
bool range_page_readable(uint64_t address);

#endif
