/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracks the CPU affinity of threads through time, reduced to one question: can a thread leave its
 * node? Events arrive in time order. */
#ifndef MEMDB_MODEL_AFFINITY_H
#define MEMDB_MODEL_AFFINITY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"
#include "model/topology.h"

enum affinity {
	AFFINITY_UNKNOWN = -1,
	AFFINITY_SPANS = 0,  /* the CPUs belong to several nodes, or their node is unknown */
	AFFINITY_PINNED = 1, /* all the CPUs belong to one node */
};

/* The affinities of all threads. In a struct of zeros, nothing is known about the threads. */
struct affinities {
	struct {
		/* indexed by thread - 1. The value is enum affinity + 2; 0 means that the thread
		 * still has the program's initial affinity */
		uint8_t *at;
		uint32_t n, cap;
	} threads;
	uint8_t start; /* the program's initial affinity + 2, as in threads.at */
	bool nomem;
};

void affinities_release(struct affinities *a);

/* Returns the affinity of a thread that may run on the CPUs in `cpus`, a list like "0-3,8". */
enum affinity affinity_of_list(const struct topology *t, const char *cpus);

void affinities_start(struct affinities *a, enum affinity affinity);
void affinities_set(struct affinities *a, uint32_t thread, enum affinity affinity);

/* A new thread begins with its creator's affinity. */
void affinities_fork(struct affinities *a, uint32_t creator, uint32_t thread);

enum affinity affinities_get(const struct affinities *a, uint32_t thread);

#endif
