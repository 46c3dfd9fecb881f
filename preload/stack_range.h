/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds which parts of a stack can be read. The bounds of the main thread's stack follow from its
 * end and its size limit. The stack of another thread stays mapped while the thread lives. So if a
 * part of it was found readable, two comparisons are enough to check an address there. Other stacks
 * (of coroutines or signals) may be unmapped at any time, so their pages are checked in every walk.
 *
 * Checking a page takes two system calls. mincore() shows whether the program has touched it. An
 * untouched page must not be read: the first access to a page decides on which NUMA node the kernel
 * allocates it, and a frame may contain many untouched pages. Then rt_sigprocmask() with an invalid
 * argument, which sandboxes permit, shows whether the page is readable.
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

/* The addresses that a walk may read: those from `floor` upwards. `known` is the part of them that
 * is known to be readable. */
struct stack_reach {
	uint64_t floor;
	struct stack_range known;
};

/* Finds the bounds of the calling thread's own stack, if sp is in it. Otherwise the thread runs on
 * another stack. Then *own is set to an empty range: lo and hi are the address at which the
 * thread's own stack would end. */
void range_find_own(struct stack_range *own, uint64_t sp);

/* Begins a walk upwards from sp. If sp is in the thread's own stack, the rest of that stack is
 * known to be readable; otherwise no part is. */
void range_start(struct stack_reach *r, const struct stack_range *own, uint64_t sp);

/* Can the word at this address be read? Words below r->floor cannot. A page that is in neither
 * r->known nor *own is checked, and added to r->known if it is readable. If r->known then reaches
 * *own, the two are merged. */
bool range_has_word(struct stack_reach *r, struct stack_range *own, uint64_t address);

/* Was sp the stack pointer when the kernel started the process? Then the frame at sp is the
 * outermost one. */
bool range_is_entry(uint64_t sp);

/* Has the program touched the page of this address, and is it readable now? */
bool range_page_readable(uint64_t address);

#endif
