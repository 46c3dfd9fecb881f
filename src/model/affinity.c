/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the affinity of each thread, reduced to three values: pinned to one node, free to run on
 * several nodes, or unknown. If a pinned thread touches a page first, the program has chosen the
 * page's node. If a free thread touches it first, the node depends on the CPU on which the thread
 * happened to run.
 *
 * The array `threads` contains enum affinity + 2. So its default, 0, means that nobody reported an
 * affinity of the thread, which still has the program's initial affinity.
 */
#include "model/affinity.h"

#include <stdlib.h>
#include <string.h>

void affinities_release(struct affinities *a)
{
	free(a->threads.at);
	memset(a, 0, sizeof(*a));
}

/* Returns AFFINITY_UNKNOWN for an empty list, and without a topology, because only the topology
 * says to which nodes the CPUs belong. Returns AFFINITY_SPANS whenever topology_node_of_list()
 * finds no single node, for example because the list is damaged. */
enum affinity affinity_of_list(const struct topology *t, const char *cpus)
{
	if (!t->cpus.n || !*cpus)
		return AFFINITY_UNKNOWN;
	return topology_node_of_list(t, cpus) >= 0 ? AFFINITY_PINNED : AFFINITY_SPANS;
}

/* Returns the stored value of a thread; 0 means that nobody reported the thread's affinity. */
static uint8_t stored_affinity(const struct affinities *a, uint32_t thread)
{
	return thread && thread <= a->threads.n ? AT_ID(a->threads, thread) : 0;
}

/* Stores `value` (enum affinity + 2) as the affinity of a thread. Ignores thread 0, which stands
 * for "no thread". */
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

/* Sets the affinity with which the program starts. A thread has it until affinities_set() sets
 * another one for the thread. A new thread inherits its creator's affinity. */
void affinities_start(struct affinities *a, enum affinity affinity)
{
	a->start = (uint8_t)(affinity + 2);
}

/* Sets the affinity of a thread from now on. Calls must come in the order of time. */
void affinities_set(struct affinities *a, uint32_t thread, enum affinity affinity)
{
	set_stored(a, thread, (uint8_t)(affinity + 2));
}

/* Gives a new thread its creator's affinity. Replaces the value that was stored for the new thread
 * before, if any. */
void affinities_fork(struct affinities *a, uint32_t creator, uint32_t thread)
{
	if (stored_affinity(a, creator) || stored_affinity(a, thread))
		set_stored(a, thread, stored_affinity(a, creator));
}

enum affinity affinities_get(const struct affinities *a, uint32_t thread)
{
	uint8_t value = stored_affinity(a, thread) ? stored_affinity(a, thread) : a->start;

	return value ? (enum affinity)(value - 2) : AFFINITY_UNKNOWN;
}
