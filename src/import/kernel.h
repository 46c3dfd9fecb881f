/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel did when a sample found it there. */
#ifndef MEMDB_IMPORT_KERNEL_H
#define MEMDB_IMPORT_KERNEL_H

#include <stdint.h>

struct import;

/* What the kernel does in the time of a thread. */
enum kernel_work {
	KERNEL_UNKNOWN,  /* not looked for yet */
	KERNEL_WORK,     /* system calls, interrupts; or its functions have no names */
	KERNEL_FAULT,    /* handles a page fault of the program's */
	KERNEL_RECORDER, /* perf's own work */
	KERNEL_LOCK,     /* waits for another thread, or wakes one: futex(), or called by a lock */
};

/* Of each call path: what kernel_work() found; { 0 } is empty. */
struct kernel_works {
	uint8_t *at; /* by call path - 1 */
	uint32_t n, cap;
};

/* By the names of the functions on a call path, or where path is 0, of the one at a location. */
enum kernel_work kernel_work(struct import *im, uint32_t path, uint32_t location);

#endif
