/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sample.h"

#include "addresses.h"
#include "shared_log.h"
#include "start.h"
#include "text.h"

enum {
	SLOTS = 1 << 23, /* slots of the set: 64 MiB of address space */
	/* slots if the set contains all small blocks from the start (option thin): 512 MiB of
	 * address space */
	SLOTS_ALL = 1 << 26,
	SMALL = 4096, /* blocks below this many bytes are small by default */
};

/* The addresses of live small blocks that were chosen for recording. */
static struct addresses taken START_STATE;

void sample_init(const char *options)
{
	uint64_t every = text_option(options, "sample_small", 0);
	bool thin = text_option(options, "thin", 0);

	if (every < 2 || every > TRACK_SAMPLE_MOST)
		every = thin;
	if (!every)
		return;
	addresses_init(&taken, every == 1 ? SLOTS_ALL : SLOTS);
	if (!taken.slots)
		return; /* without memory for the set, all blocks are recorded */
	image.sample_every = (uint32_t)every;
	image.sample_bytes = text_option(options, "sample_small_bytes", SMALL);
}

static bool is_small(void *p)
{
	return real.malloc_usable_size && real.malloc_usable_size(p) < image.sample_bytes;
}

/* Returns true by chance, on average once in `every` calls. */
static bool is_chosen(struct thread *t, uint32_t every)
{
	uint64_t x = t->random += 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return (x >> 32) * every >> 32 == 0;
}

uint32_t sample_birth(struct thread *t, void *p)
{
	uint32_t every = shared_every();

	if (!is_small(p))
		return 1;
	if (every < image.sample_every)
		every = image.sample_every;
	if (!is_chosen(t, every))
		return 0;
	if (addresses_add(&taken, (uint64_t)(uintptr_t)p, 0))
		return every;
	log_lost(1);
	return 0;
}

bool sample_death(void *p)
{
	return addresses_remove(&taken, (uint64_t)(uintptr_t)p) || !is_small(p);
}

void sample_undo(void *p)
{
	if (image.sample_every && is_small(p))
		addresses_add(&taken, (uint64_t)(uintptr_t)p, 0);
}

void sample_log_birth(struct thread *t, uint64_t ticks, const void *p, uint64_t size,
		      enum tl_function fn, uint32_t stack, const void *old, uint32_t weight)
{
	struct track_event ev = { .ticks = ticks,
				  .address = (uint64_t)(uintptr_t)p,
				  .size = size,
				  .old_address = (uint64_t)(uintptr_t)old,
				  .stack = stack,
				  .mode = weight };

	log_event(t, &ev, TL_BIRTH, fn, NULL, 0);
}
