/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Thread-local variables: where each thread's thread pointer is, and where the modules' blocks lie
 * relative to it. The tracker reports both, but the pointer only of threads that did something it
 * sees. The pointers of other threads follow from their stacks: libc puts the thread control block
 * at the same distance from the end of each stack that it maps.
 *
 * Only modules loaded at program start are known. Blocks of modules loaded later are allocated on
 * the heap when a thread first uses them.
 */
#ifndef MEMDB_MODEL_TLS_H
#define MEMDB_MODEL_TLS_H

#include "model/process.h"
#include "track_format.h" /* struct track_tls */

/* What a thread reported about itself. */
struct tls_told {
	uint32_t process, thread;
	uint64_t pointer;
	/* bytes from the pointer to the end of a stack mapped by libc, before alignment; 0 means
	 * not reported */
	uint64_t to_stack_end;
	const struct track_tls *modules;
	uint32_t count;
};

void tls_tell(struct space *s, const struct tls_told *t);

/* Returns the thread's pointer, as reported or derived from its stack, which contains sp (0 means
 * unknown). Returns 0 if the pointer is unknown. */
uint64_t tls_pointer(struct space *s, uint32_t thread, uint64_t sp);

/* A thread's block of a module. */
struct tls_place {
	uint32_t thread;
	uint32_t dso; /* the module; 0 means libc's own data of the thread */
	uint64_t start, bytes;
};

/* Finds the block that contains an address, among the blocks of threads whose pointer is known so
 * far. False if there is none. */
bool tls_at(struct space *s, uint32_t process, uint64_t address, struct tls_place *out);

#endif
