/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records the CPUs on which threads may run, and the names of threads. */
#ifndef MEMDB_PRELOAD_AFFINITY_H
#define MEMDB_PRELOAD_AFFINITY_H

#include "tracker.h"

/* Records the affinity with which a thread starts, which may come from a pthread_create() attribute
 * or from its creator. Always records the first thread of the image, and others only if they
 * differ. Called once per thread, when the thread can write to the log. */
void affinity_record_start(struct thread *t);

/* Records a name given to the calling thread (subject 0) or to another one. */
void affinity_record_name(uint32_t subject, const char *name);

#endif
