/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records the CPUs on which threads may run, and the names of threads. */
#ifndef MEMDB_PRELOAD_AFFINITY_H
#define MEMDB_PRELOAD_AFFINITY_H

#include "tracker.h"

/* Records the affinity with which a thread starts: from an attribute of pthread_create(), or
 * from its creator. The first thread of the image is always recorded, others only if they differ
 * from it. Called once for each thread, when it can write to the log. */
void affinity_record_start(struct thread *t);

/* Records the name that the calling thread (subject 0) or another thread gets. */
void affinity_record_name(uint32_t subject, const char *name);

#endif
