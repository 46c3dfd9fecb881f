/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the mapping and the image that contain an address. */
#include "model/internal.h"

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The image that contains address: position + 1, 0: none. Narrows [*from, *to) to the part around
 * address with the same answer. */
static uint32_t image_of(const struct space *s, const struct process_memory *m, uint64_t address,
			 uint64_t *from, uint64_t *to)
{
	uint32_t at, image = 0;
	uint64_t key, hi;

	if (rangemap_le(&m->images, address, &key, &at)) {
		hi = s->images.at[at].hi;
		image = address < hi ? at + 1 : 0;
		*from = larger(*from, image ? key : larger(key, hi));
		*to = image ? smaller(*to, hi) : *to;
	}
	if (rangemap_ge(&m->images, address + 1, &key, NULL))
		*to = smaller(*to, key);
	return image;
}

/* The cached range around an address; NULL: no mapping contains the address. */
static const struct stretch *stretch_find(struct space *s, struct process_memory *m,
					  uint64_t address)
{
	struct stretch *st = &m->recent[m->oldest];
	uint64_t from, to;
	uint32_t mapping;

	if (!rangemap_le(&m->mappings, address, &from, &mapping) ||
	    address >= s->mappings.at[mapping].end)
		return NULL;
	to = s->mappings.at[mapping].end;
	st->image = image_of(s, m, address, &from, &to);
	st->mapping = mapping;
	st->start = from;
	st->bytes = to - from;
	m->oldest = (m->oldest + 1) % STRETCHES;
	return st;
}

/* As stretch_find(), but tries the cache first. */
static inline const struct stretch *stretch_at(struct space *s, uint32_t process, uint64_t address)
{
	struct process_memory *m = space_memory(s, process);

	for (int i = 0; i < STRETCHES; i++)
		if (address - m->recent[i].start < m->recent[i].bytes)
			return &m->recent[i];
	return stretch_find(s, m, address);
}

const struct mapping *space_mapping_at(struct space *s, uint32_t process, uint64_t address)
{
	const struct stretch *st = stretch_at(s, process, address);

	return st ? &s->mappings.at[st->mapping] : NULL;
}

const struct image *space_image_at(struct space *s, uint32_t process, uint64_t address)
{
	const struct stretch *st = stretch_at(s, process, address);
	uint32_t at;

	if (st)
		return st->image ? &AT_ID(s->images, st->image) : NULL;
	if (!rangemap_le(&space_memory(s, process)->images, address, NULL, &at) ||
	    address >= s->images.at[at].hi)
		return NULL;
	return &s->images.at[at];
}
