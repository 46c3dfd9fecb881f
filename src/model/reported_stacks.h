/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores the stacks and the thread pointers of threads, as a sampler reported them. Without a
 * report, both are derived from the stack pointers of samples (place.c, tls.h). */
#ifndef MEMDB_MODEL_REPORTED_STACKS_H
#define MEMDB_MODEL_REPORTED_STACKS_H

#include "model/process.h"

/* A sampler's report about the stack of one thread. */
struct stack_thread_report {
	uint32_t thread;
	uint64_t low, high; /* addresses of the stack; both are 0 if they are unknown */
	uint64_t pointer;   /* the thread pointer; 0 means unknown */
};

void stack_report(struct space *s, const struct stack_thread_report *t, uint64_t time);

/* Handles a fork: `child`, the first thread of a new process, is a copy of `creator`, so it has the
 * same stack and thread pointer. */
void stack_inherit(struct space *s, uint32_t creator, uint32_t child);

#endif
