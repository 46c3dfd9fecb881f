/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps keys to small ids, counted from 1. Keys are compared as bytes. So a struct that serves as a
 * key must have no padding, or padding that is always zero.
 */
#ifndef MEMDB_DATABASE_DICTIONARY_H
#define MEMDB_DATABASE_DICTIONARY_H

#include "base/index.h"

struct dictionary {
	struct index index;
	char *keys;
	uint32_t count, cap;
	uint32_t last; /* the id that was returned last: consecutive keys are often equal */
	size_t key_size;
};

/* Frees the keys. A new dictionary is initialized with { .key_size = bytes }. */
void dictionary_release(struct dictionary *d);

/* Returns the id of the key. If the key is missing, adds it and sets *is_new. Returns 0 when out of
 * memory. */
uint32_t dictionary_id(struct dictionary *d, const void *key, bool *is_new);

/*
 * For a caller that collects keys and their hashes and looks them up later, many at a time.
 * dictionary_prefetch() starts to load the hash's slot of the index into the processor's cache.
 * dictionary_guess() returns the id that a key with this hash probably has (0: no key has this hash
 * yet). dictionary_id_hashed() is dictionary_id() for a key whose hash is known. All hashes of one
 * dictionary must come from the same function.
 */
static inline void dictionary_prefetch(const struct dictionary *d, uint32_t hash)
{
	if (d->index.slots)
		__builtin_prefetch(&d->index.slots[hash & d->index.mask]);
}

static inline uint32_t dictionary_guess(const struct dictionary *d, uint32_t hash)
{
	uint32_t place = hash;

	return index_next(&d->index, hash, &place);
}

uint32_t dictionary_id_hashed(struct dictionary *d, const void *key, uint32_t hash, bool *is_new);

/* Returns the key with this id. The pointer is valid until a key is added. */
static inline const void *dictionary_key(const struct dictionary *d, uint32_t id)
{
	return d->keys + (size_t)(id - 1) * d->key_size;
}

/* Removes all keys; their memory is used again. */
void dictionary_clear(struct dictionary *d);

#endif
