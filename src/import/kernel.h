/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out what the kernel was doing when it was sampled. */
#ifndef MEMDB_IMPORT_KERNEL_H
#define MEMDB_IMPORT_KERNEL_H

#include <stdint.h>

struct import;

/* What the kernel does during a thread's time. */
enum kernel_work {
	KERNEL_UNKNOWN,  /* not looked up yet */
	KERNEL_WORK,     /* system calls, interrupts; also functions without a known name */
	KERNEL_FAULT,    /* handles a page fault of the program */
	KERNEL_RECORDER, /* perf's own work */
	/* waits for another thread or wakes one: futex(), or called from a lock function */
	KERNEL_LOCK,
};

/* Cached results of kernel_work(); { 0 } is empty. */
struct kernel_works {
	uint8_t *at; /* by call_paths.id - 1 */
	uint32_t n, cap;
};

/* Decides by the names of the functions on a call path. If path is 0, decides by the function at
 * location. */
enum kernel_work kernel_work(struct import *im, uint32_t path, uint32_t location);

#endif
