/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growable arrays, and a hash index on the elements of such an array. The index contains the id of
 * each element (its position + 1) and 32 bits of its hash, so that most searches compare only one
 * element. An empty array or index is { 0 }. */
#ifndef MEMDB_BASE_INDEX_H
#define MEMDB_BASE_INDEX_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Makes room for one more element in v, a struct with the members `at` (the elements), n and cap.
 * Yields false when out of memory. For example:
 *   struct { struct thing *at; uint32_t n, cap; } things = { 0 };
 *   if (VEC_ROOM(&things))
 *           things.at[things.n++] = thing;
 */
#define VEC_ROOM(v) \
	((v)->n < (v)->cap || vec_grow((void **)&(v)->at, &(v)->cap, sizeof((v)->at[0])))

static inline bool vec_grow(void **at, uint32_t *cap, size_t size)
{
	uint32_t want = *cap ? *cap + *cap / 2 + 16 : 16;
	void *p;

	if (want < *cap)
		return false;
	p = reallocarray(*at, want, size);
	if (!p)
		return false;
	*at = p;
	*cap = want;
	return true;
}

/* Extends an array (a struct with the members at, n and cap) to at least `want` elements. The new
 * elements are zero. Yields false when out of memory. */
#define VEC_REACH(v, want) \
	vec_reach((void **)&(v)->at, &(v)->n, &(v)->cap, sizeof((v)->at[0]), (want))

static inline bool vec_reach(void **at, uint32_t *n, uint32_t *cap, size_t size, uint32_t want)
{
	while (*cap < want)
		if (!vec_grow(at, cap, size))
			return false;
	if (*n < want) {
		memset((char *)*at + *n * size, 0, (want - *n) * size);
		*n = want;
	}
	return true;
}

/* Yields the position of the first element whose member is not below `key`; n if there is none. The
 * array must be sorted by that member. */
#define VEC_LOWER_BOUND(v, member, key)                                 \
	__extension__({                                                 \
		uint32_t lo_ = 0, hi_ = (v)->n;                         \
		while (lo_ < hi_) {                                     \
			const uint32_t middle_ = lo_ + (hi_ - lo_) / 2; \
			if ((v)->at[middle_].member < (key))            \
				lo_ = middle_ + 1;                      \
			else                                            \
				hi_ = middle_;                          \
		}                                                       \
		lo_;                                                    \
	})

/* The element of array v that has this id. Ids count from 1; 0, which means "none", is not
 * allowed. */
#define AT_ID(v, id) ((v).at[vec_position((v).n, (id))])

static inline uint32_t vec_position(uint32_t n, uint32_t id)
{
	assert(id - 1 < n);
	return id - 1;
}

/* Makes sure that array v has an element with this id: an existing one, or the next one, which is
 * added but not initialized. Yields false for id 0 and when out of memory. */
#define VEC_HAS_ID(v, id) ((id) && ((id) <= (v)->n || (VEC_ROOM(v) && ++(v)->n)))

struct index {
	struct index_slot {
		uint32_t hash, id; /* id 0 means that the slot is free */
	} * slots;
	uint32_t mask; /* number of slots - 1; the number of slots is a power of two */
	uint32_t count;
};

static inline void index_release(struct index *x)
{
	free(x->slots);
	*x = (struct index){ 0 };
}

/* The seed of the hashes. It is random in each process, so that nobody can make a file whose
 * elements all have the same hash. Results of memdb do not depend on the seed, because elements
 * stay in the order of their array. */
extern uint64_t index_seed[2];

/* Mixes two words into one. The result cannot be predicted without the seed. */
static inline uint64_t index_mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)(a ^ index_seed[0]) * (b ^ index_seed[1]);

	return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

/* Hashes two words. Each bit of the result depends on all input bits. */
static inline uint32_t index_hash(uint64_t a, uint64_t b)
{
	uint64_t h = index_mix(a, b);

	return (uint32_t)(h ^ h >> 32);
}

/* Hashes n bytes together with the number `with`. */
static inline uint32_t index_hash_bytes(const void *bytes, size_t n, uint64_t with)
{
	const unsigned char *p = bytes;
	uint64_t h = index_mix(with, n), two[2];

	for (; n > sizeof(two); n -= sizeof(two), p += sizeof(two)) {
		memcpy(two, p, sizeof(two));
		h = index_mix(h ^ two[0], two[1]);
	}
	two[0] = two[1] = 0;
	memcpy(two, p, n);
	return index_hash(h ^ two[0], two[1]);
}

/* Iterates over the ids that were added under this hash. *place is the iterator's position: the
 * caller sets it to `hash` before the first call. The caller compares the element of each id with
 * the wanted one. Returns the next id; 0 means that no more ids follow, so the element is not in
 * the index. */
static inline uint32_t index_next(const struct index *x, uint32_t hash, uint32_t *place)
{
	if (!x->slots)
		return 0;
	for (uint32_t i = *place & x->mask;; i = (i + 1) & x->mask) {
		const struct index_slot *s = &x->slots[i];

		if (!s->id || s->hash == hash) {
			*place = i + 1;
			return s->id;
		}
	}
}

/* Removes all ids and keeps the memory. */
void index_clear(struct index *x);

/* Adds an id, which is not 0, under the hash of its element. Returns false when out of memory. */
bool index_add(struct index *x, uint32_t hash, uint32_t id);

/* Replaces the id `old` with `id`. `old` must be in the index under this hash. */
void index_replace(struct index *x, uint32_t hash, uint32_t old, uint32_t id);

#endif
