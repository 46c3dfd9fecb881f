/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the event to which the id in a record belongs, by a hash table with open addressing. The
 * hash has a random seed. Otherwise a malicious file could contain many ids with the same hash, and
 * each lookup would be slow. */
#include "perfdata/internal.h"

#include <stdlib.h>
#include <sys/auxv.h>

static uint64_t random_seed(void)
{
	/* the kernel gives each process 16 random bytes here */
	const void *random = (const void *)getauxval(AT_RANDOM);
	uint64_t seed = 0;

	if (random)
		memcpy(&seed, random, sizeof(seed));
	return seed;
}

static size_t first_slot(const struct pd_ids *t, uint64_t id)
{
	uint64_t h = (id ^ t->seed) * 0xff51afd7ed558ccdu;

	h = (h ^ h >> 32) * (t->seed | 1);
	return (size_t)(h ^ h >> 29) & (t->nslots - 1);
}

/* Returns the slot that has this id, or the free slot into which it belongs. */
static struct pd_id_slot *slot_of(const struct pd_ids *t, uint64_t id)
{
	size_t i = first_slot(t, id);

	while (t->slots[i].evsel && t->slots[i].id != id)
		i = (i + 1) & (t->nslots - 1);
	return &t->slots[i];
}

struct evsel *pd_ids_search(const struct pd_ids *t, uint64_t id)
{
	return t->nslots ? slot_of(t, id)->evsel : NULL;
}

static int grow_slots(struct pd_ids *t)
{
	struct pd_ids bigger = *t;

	bigger.nslots = t->nslots ? t->nslots * 2 : 64;
	if (!t->nslots)
		bigger.seed = random_seed();
	bigger.slots = calloc(bigger.nslots, sizeof(*bigger.slots));
	if (!bigger.slots)
		return MD_ENOMEM;
	for (size_t i = 0; i < t->nslots; i++) {
		if (t->slots[i].evsel)
			*slot_of(&bigger, t->slots[i].id) = t->slots[i];
	}
	free(t->slots);
	*t = bigger;
	return 0;
}

int pd_ids_add(struct pd_ids *t, uint64_t id, struct evsel *e)
{
	struct pd_id_slot *s;

	if (t->count >= t->nslots / 2 && grow_slots(t))
		return MD_ENOMEM;
	s = slot_of(t, id);
	if (!s->evsel) { /* the first event that has an id keeps it */
		*s = (struct pd_id_slot){ .id = id, .evsel = e };
		t->count++;
	}
	return 0;
}

void pd_ids_release(struct pd_ids *t)
{
	free(t->slots);
	*t = (struct pd_ids){ 0 };
}
