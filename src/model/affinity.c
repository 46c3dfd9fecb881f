/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/affinity.h"

#include <stdlib.h>
#include <string.h>

void affinities_release(struct affinities *a)
{
	free(a->threads.at);
	memset(a, 0, sizeof(*a));
}

enum affinity affinity_of_list(const struct topology *t, const char *cpus)
{
	if (!t->cpus.n || !*cpus)
		return AFFINITY_UNKNOWN;
	return topology_node_of_list(t, cpus) >= 0 ? AFFINITY_PINNED : AFFINITY_SPANS;
}

static uint8_t stored_affinity(const struct affinities *a, uint32_t thread)
{
	return thread && thread <= a->threads.n ? AT_ID(a->threads, thread) : 0;
}

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

void affinities_start(struct affinities *a, enum affinity affinity)
{
	a->start = (uint8_t)(affinity + 2);
}

void affinities_set(struct affinities *a, uint32_t thread, enum affinity affinity)
{
	set_stored(a, thread, (uint8_t)(affinity + 2));
}

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
