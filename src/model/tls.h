/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds thread-local variables. They are in blocks, one for each thread and module (file), at a
 * fixed offset from the thread pointer. The tracker reports the offsets, and the thread pointers of
 * those threads in which its functions ran. The pointers of other threads follow from their stacks:
 * libc puts the thread control block at the same distance from the end of each stack that it maps.
 *
 * The offsets are known only for modules loaded at program start. For modules loaded later, the
 * loader allocates the blocks on the heap when a thread first uses them.
 */
#ifndef MEMDB_MODEL_TLS_H
#define MEMDB_MODEL_TLS_H

#include "model/process.h"
#include "track_format.h" /* for struct track_tls */

/* The tracker's report about thread-local data in one thread. */
struct tls_thread_report {
	uint32_t process, thread;
	uint64_t pointer;
	/* bytes from the thread pointer to the end of a stack that libc maps, before libc aligns
	 * the pointer; 0 means not reported */
	uint64_t to_stack_end;
	const struct track_tls *modules;
	uint32_t count;
};

void tls_report(struct space *s, const struct tls_thread_report *t);

/* Returns the thread pointer of a thread: the reported one, or one computed from its stack. `sp` is
 * the thread's stack pointer, which shows where that stack is; 0 means unknown. Returns 0 if the
 * thread pointer cannot be found. */
uint64_t tls_pointer(struct space *s, uint32_t thread, uint64_t sp);

/* The thread-local variables of one module (file) in one thread. */
struct tls_place {
	uint32_t thread;
	uint32_t dso; /* file of the module; 0 means libc's own data of the thread */
	uint64_t start, bytes;
};

/* Finds the thread-local block that contains an address, in those threads whose pointer is known.
 * Returns false if there is no such block. */
bool tls_at(struct space *s, uint32_t process, uint64_t address, struct tls_place *out);

#endif
