/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records the CPUs on which threads may run, and the names of threads. */
#ifndef MEMDB_PRELOAD_AFFINITY_H
#define MEMDB_PRELOAD_AFFINITY_H

#include "tracker.h"

/* Records the affinity with which a thread starts. An attribute of pthread_create() sets it, or the
 * thread inherits it from its creator. The affinity of the program's first thread is always
 * recorded, the affinity of another thread only if it differs from that one. Called once for each
 * thread, when the thread can write to the log. */
void affinity_record_start(struct thread *t);

/* Records that a thread gets this name. `subject` is its tid; 0 means the calling thread. */
void affinity_record_name(uint32_t subject, const char *name);

#endif
