/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Thread-local variables: where each thread's thread pointer is, and where the modules' blocks lie
 * from it. The tracker tells both, but the pointer of those threads only that have done something
 * that it sees. Where the others' are follows from their stacks: libc puts what the pointer names
 * at the same distance from the end of each stack that it maps.
 *
 * Known are the modules that the program was started with. Blocks of what was loaded later are
 * made when a thread first needs them, on the heap.
 */
#ifndef MEMDB_MODEL_TLS_H
#define MEMDB_MODEL_TLS_H

#include "model/process.h"
#include "track_format.h" /* struct track_tls */

/* What a thread has told of itself. */
struct tls_told {
	uint32_t process, thread;
	uint64_t pointer;
	uint64_t to_stack_end; /* bytes from the pointer to the end of a stack of libc's, before
				  alignment; 0 not told */
	const struct track_tls *modules;
	uint32_t count;
};

void tls_tell(struct space *s, const struct tls_told *t);

/* The thread's pointer, by what it told or by its stack, which sp (0 unknown) lies in; 0 unknown.
 */
uint64_t tls_pointer(struct space *s, uint32_t thread, uint64_t sp);

/* A thread's block of a module. */
struct tls_place {
	uint32_t thread;
	uint32_t dso; /* the module; 0: what libc keeps of the thread */
	uint64_t start, bytes;
};

/* The block that holds an address, among those of threads whose pointer was asked for or told. */
bool tls_at(struct space *s, uint32_t process, uint64_t address, struct tls_place *out);

#endif
