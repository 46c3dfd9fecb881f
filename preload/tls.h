/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds where the thread-local variables of the modules are, relative to the thread pointer. */
#ifndef MEMDB_PRELOAD_TLS_H
#define MEMDB_PRELOAD_TLS_H

#include "tracker.h"

/* Records the thread-local blocks of all modules with which the program was started. Each block is
 * at the same distance from the thread pointer in every thread. Called once, in a constructor, when
 * no other thread can have the loader's lock. Does nothing if t is NULL. */
void tls_record(struct thread *t);

#endif
