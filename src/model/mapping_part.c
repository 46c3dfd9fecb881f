/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the mapping and the image (the address range of a loaded file) that contain an address. A
 * part is a range of addresses that lies in one mapping, and in either one image or none. The last
 * results are cached, because a program accesses few parts at a time. */
#include "model/internal.h"

static uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Returns position + 1 in s->images of the image that contains the address; 0 if there is none.
 * Narrows [*from, *to) to the addresses around it for which the result is the same. */
static uint32_t image_of(const struct space *s, const struct process_memory *m, uint64_t address,
			 uint64_t *from, uint64_t *to)
{
	uint32_t at, image = 0;
	uint64_t key, hi;

	if (rangemap_le(&m->images, address, &key, &at)) {
		hi = s->images.at[at].hi;
		image = address < hi ? at + 1 : 0;
		*from = max_u64(*from, image ? key : max_u64(key, hi));
		*to = image ? min_u64(*to, hi) : *to;
	}
	if (rangemap_ge(&m->images, address + 1, &key, NULL))
		*to = min_u64(*to, key);
	return image;
}

/* Finds the part (mapping and image) that contains an address, and stores it in the cache
 * m->recent. Returns NULL if no mapping contains the address. */
static const struct mapping_part *part_find(struct space *s, struct process_memory *m,
					    uint64_t address)
{
	struct mapping_part *part = &m->recent[m->oldest];
	uint64_t from, to;
	uint32_t mapping;

	if (!rangemap_le(&m->mappings, address, &from, &mapping) ||
	    address >= s->mappings.at[mapping].end)
		return NULL;
	to = s->mappings.at[mapping].end;
	part->image = image_of(s, m, address, &from, &to);
	part->mapping = mapping;
	part->start = from;
	part->bytes = to - from;
	m->oldest = (m->oldest + 1) % RECENT_PARTS;
	return part;
}

/* Like part_find(), but searches the cache m->recent first. */
static inline const struct mapping_part *part_at(struct space *s, uint32_t process,
						 uint64_t address)
{
	struct process_memory *m = space_memory(s, process);

	for (int i = 0; i < RECENT_PARTS; i++)
		if (address - m->recent[i].start < m->recent[i].bytes)
			return &m->recent[i];
	return part_find(s, m, address);
}

const struct mapping *space_mapping_at(struct space *s, uint32_t process, uint64_t address)
{
	const struct mapping_part *part = part_at(s, process, address);

	return part ? &s->mappings.at[part->mapping] : NULL;
}

/* Also finds an image at an address without a known mapping, because a recording may lack the
 * mappings of data. */
const struct image *space_image_at(struct space *s, uint32_t process, uint64_t address)
{
	const struct mapping_part *part = part_at(s, process, address);
	uint32_t at;

	if (part)
		return part->image ? &AT_ID(s->images, part->image) : NULL;
	if (!rangemap_le(&space_memory(s, process)->images, address, NULL, &at) ||
	    address >= s->images.at[at].hi)
		return NULL;
	return &s->images.at[at];
}
