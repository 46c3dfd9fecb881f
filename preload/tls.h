/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the modules' thread-local variables lie, from each thread's own pointer. */
#ifndef MEMDB_PRELOAD_TLS_H
#define MEMDB_PRELOAD_TLS_H

#include "tracker.h"

/*
 * Records the blocks of all modules that the program was started with: those lie at the same
 * distance from the thread pointer in every thread. Once, in a constructor: no other thread is
 * there to wait for at the loader's lock. Nothing where t is NULL.
 */
void tls_record(struct thread *t);

#endif
