/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where threads may run, and what they are called. */
#ifndef MEMDB_PRELOAD_AFFINITY_H
#define MEMDB_PRELOAD_AFFINITY_H

#include "tracker.h"

/*
 * Records the affinity that a thread begins with: it may have been given to pthread_create() in an
 * attribute, or be its creator's. Of the first thread of the image always, of the others where it
 * is another one. Called once per thread, with room to write.
 */
void affinity_record_start(struct thread *t);

/* A name that the calling thread (subject 0) or another one was given. */
void affinity_record_name(uint32_t subject, const char *name);

#endif
