/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out what kind of work of the kernel a sample interrupted. */
#ifndef MEMDB_IMPORT_KERNEL_H
#define MEMDB_IMPORT_KERNEL_H

#include <stdint.h>

struct import;

/* What the kernel does on behalf of a thread. */
enum kernel_work {
	KERNEL_UNKNOWN,  /* no result cached yet */
	KERNEL_WORK,     /* system calls, interrupts, and everything that the known names do not
			  * show to be another kind */
	KERNEL_FAULT,    /* handles a page fault of the program */
	KERNEL_RECORDER, /* perf's own work */
	/* waits for another thread or wakes one: in futex(), or because a lock function has called
	 * the kernel */
	KERNEL_LOCK,
};

/* Cached results of kernel_work(). A struct of zeros is an empty cache. */
struct kernel_works {
	uint8_t *at; /* indexed by call_paths.id - 1 */
	uint32_t n, cap;
};

/* Decides by the names of the functions on the call path `path` (call_paths.id). If `path` is 0,
 * decides by the function at `location` alone. */
enum kernel_work kernel_work(struct import *im, uint32_t path, uint32_t location);

#endif
