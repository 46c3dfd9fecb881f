/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/index.h"

#include <sys/random.h>

uint64_t index_seed[2] = { 0x9e3779b97f4a7c15u, 0xc4ceb9fe1a85ec53u };

/* Sets the random seed before main(), because it must not change once an index is in use. If the
 * kernel provides no random numbers (early boot, a sandbox), the constants above stay. */
static __attribute__((constructor)) void draw_seed(void)
{
	uint64_t seed[2];

	if (getrandom(seed, sizeof(seed), GRND_NONBLOCK) == (ssize_t)sizeof(seed))
		memcpy(index_seed, seed, sizeof(seed));
}

static void insert_slot(struct index *x, uint32_t hash, uint32_t id)
{
	uint32_t i = hash & x->mask;

	while (x->slots[i].id)
		i = (i + 1) & x->mask;
	x->slots[i] = (struct index_slot){ .hash = hash, .id = id };
}

static bool grow_slots(struct index *x)
{
	struct index old = *x;
	uint32_t nslots = old.slots ? (old.mask + 1) * 2 : 64;

	if (!nslots)
		return false;
	x->slots = calloc(nslots, sizeof(*x->slots));
	if (!x->slots) {
		*x = old;
		return false;
	}
	x->mask = nslots - 1;
	for (uint32_t i = 0; old.slots && i <= old.mask; i++)
		if (old.slots[i].id)
			insert_slot(x, old.slots[i].hash, old.slots[i].id);
	free(old.slots);
	return true;
}

void index_clear(struct index *x)
{
	if (x->slots)
		memset(x->slots, 0, ((size_t)x->mask + 1) * sizeof(*x->slots));
	x->count = 0;
}

bool index_add(struct index *x, uint32_t hash, uint32_t id)
{
	/* the table grows when five eighths of its slots are used: in a fuller one, a search for a
	 * missing element would take many steps */
	if ((!x->slots || x->count >= x->mask / 8 * 5) && !grow_slots(x))
		return false;
	insert_slot(x, hash, id);
	x->count++;
	return true;
}

void index_replace(struct index *x, uint32_t hash, uint32_t old, uint32_t id)
{
	uint32_t i = hash & x->mask;

	while (x->slots[i].id != old)
		i = (i + 1) & x->mask;
	x->slots[i].id = id;
}
