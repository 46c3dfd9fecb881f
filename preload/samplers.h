/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells the sampler soft (access/soft.h) that the program ends or executes another one, because the
 * sampler must write before what it has counted.
 *
 * The sampler has hooks of its own for _exit() and the exec functions. But if it comes with a
 * shared library, it may be behind libc in the order in which symbols are found: then its hooks are
 * never called. The tracker is preloaded, so its hooks always are. They also see the calls that a
 * program makes by syscall().
 */
#ifndef MEMDB_PRELOAD_SAMPLERS_H
#define MEMDB_PRELOAD_SAMPLERS_H

#include <stdbool.h>

/* A variable of the tracker's library: the list of the process's samplers. */
#define TRACK_SAMPLERS "memdb_track_samplers"

/* A sampler in this process. A program and a library that it opens may each have their own. In a
 * vfork child, the functions do nothing. */
struct track_sampler {
	/* Stops sampling and writes everything. Returns false if it has done nothing. */
	bool (*before_exec)(void);
	/* Continues after an exec that failed; `stopped` is what before_exec() has returned. */
	void (*after_exec)(bool stopped);
	void (*before_end)(void); /* ends sampling and writes everything */
	unsigned bit;             /* differs from those of the other samplers */
	struct track_sampler *next;
};

/* The samplers add themselves and take themselves out. NULL means that there are none. */
extern struct track_sampler *track_samplers __asm__(TRACK_SAMPLERS);

/* Call before_exec() of all samplers, and after_exec(). The first returns the bits of those that
 * have stopped, which the second needs. */
unsigned samplers_before_exec(void);
void samplers_after_exec(unsigned stopped);

/* Calls before_end() of all samplers. */
void samplers_before_end(void);

#endif
