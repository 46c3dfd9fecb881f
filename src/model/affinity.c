/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which nodes a thread may run on, as far as it matters: pinned to one node, free to move between
 * several, or unknown. A page touched first by a pinned thread was placed by the program; one
 * touched by a free thread lies where chance had put the thread.
 *
 * A value is stored as its number + 2, so that 0 means "nothing was reported": then the affinity at
 * the start of the program holds.
 */
#include "model/affinity.h"

#include <stdlib.h>
#include <string.h>

/* Leaves *a empty. */
void affinities_release(struct affinities *a)
{
	free(a->threads.at);
	memset(a, 0, sizeof(*a));
}

/* A list of CPUs says nothing if the topology is not known. */
enum affinity affinity_of_list(const struct topology *t, const char *cpus)
{
	if (!t->cpus.n || !*cpus)
		return AFFINITY_UNKNOWN;
	return topology_node_of_list(t, cpus) >= 0 ? AFFINITY_PINNED : AFFINITY_SPANS;
}

/* 0: nothing was reported for the thread. */
static uint8_t stored_affinity(const struct affinities *a, uint32_t thread)
{
	return thread && thread <= a->threads.n ? AT_ID(a->threads, thread) : 0;
}

/* Thread 0 is nobody. */
static void set_stored(struct affinities *a, uint32_t thread, uint8_t value)
{
	while (a->threads.n < thread) {
		if (!VEC_ROOM(&a->threads)) {
			a->nomem = true;
			return;
		}
		a->threads.at[a->threads.n++] = 0;
	}
	if (thread)
		AT_ID(a->threads, thread) = value;
}

/* Holds for every thread until it or its creator gets another one. */
void affinities_start(struct affinities *a, enum affinity affinity)
{
	a->start = (uint8_t)(affinity + 2);
}

/* Call in the order of time. */
void affinities_set(struct affinities *a, uint32_t thread, enum affinity affinity)
{
	set_stored(a, thread, (uint8_t)(affinity + 2));
}

/* A new thread has its creator's affinity. The id may be that of an older thread. */
void affinities_fork(struct affinities *a, uint32_t creator, uint32_t thread)
{
	if (stored_affinity(a, creator) || stored_affinity(a, thread))
		set_stored(a, thread, stored_affinity(a, creator));
}

/* At the present time of the merge. */
enum affinity affinities_get(const struct affinities *a, uint32_t thread)
{
	uint8_t value = stored_affinity(a, thread) ? stored_affinity(a, thread) : a->start;

	return value ? (enum affinity)(value - 2) : AFFINITY_UNKNOWN;
}
