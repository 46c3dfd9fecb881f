/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Affinity of threads through time, as far as NUMA asks for it: may a thread leave its node? Events
 * are given in time order.
 */
#ifndef MEMDB_MODEL_AFFINITY_H
#define MEMDB_MODEL_AFFINITY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"
#include "model/topology.h"

enum affinity {
	AFFINITY_UNKNOWN = -1,
	AFFINITY_SPANS = 0,  /* the CPUs belong to several nodes */
	AFFINITY_PINNED = 1, /* they all belong to one */
};

/* { 0 } is empty: nothing is known of any thread. */
struct affinities {
	struct {
		uint8_t *at; /* by thread - 1: enum affinity + 2, 0 as it was at the start */
		uint32_t n, cap;
	} threads;
	uint8_t start; /* likewise: what the program was started with */
	bool nomem;
};

void affinities_release(struct affinities *a);

/* What CPUs in list format ("0-3,8") mean. */
enum affinity affinity_of_list(const struct topology *t, const char *cpus);

void affinities_start(struct affinities *a, enum affinity affinity);
void affinities_set(struct affinities *a, uint32_t thread, enum affinity affinity);

/* A new thread has its creator's affinity. */
void affinities_fork(struct affinities *a, uint32_t creator, uint32_t thread);

enum affinity affinities_get(const struct affinities *a, uint32_t thread);

#endif
