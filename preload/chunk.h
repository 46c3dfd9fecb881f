/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Room in the log, for the records that events.c writes. */
#ifndef MEMDB_PRELOAD_CHUNK_H
#define MEMDB_PRELOAD_CHUNK_H

#include "tracker.h"

/* Advances t->pos by `bytes` and returns the address of the reserved record. NULL means that no
 * chunk has room, or that t->stack is not `from`: a signal handler has forked, and its child must
 * not log what belongs to the parent's log. With NULL as `from`, this is not checked. */
uint64_t *log_reserve(struct thread *t, const struct stack_thread *from, uint64_t bytes);

/* Begins a long record in the room w. The length in its first word is stored before anything else,
 * so that a reader can skip the record. */
void log_put_head(uint64_t *w, enum track_kind kind, uint64_t bytes);

/* Reserves room for a long record and begins it. NULL means that there is no room. */
uint64_t *log_begin_long(struct thread *t, enum track_kind kind, uint64_t bytes);

/* Completes a long record. `more` has fields of its first word. */
void log_end_long(uint64_t *w, uint64_t more);

/* Called after a short record of this size could not be written: gets a new chunk or writes a new
 * TRACK_TIME, whichever is missing. Returns whether to try again. */
bool log_prepare(struct thread *t, uint64_t ticks, uint64_t bytes);

#endif
