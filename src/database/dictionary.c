/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Assigns numbers (ids) to values that repeat. All samples at one instruction have the same
 * instruction columns, and many have the same kind of access. So the row of a sample stores the ids
 * of these two instead of more than thirty columns.
 *
 * Consecutive samples are often at the same instruction, so dictionary_id() first compares the key
 * with the one that was found last.
 */
#include "database/dictionary.h"

#include <string.h>

/* Keeps key_size, so that keys can be added again. */
void dictionary_release(struct dictionary *d)
{
	index_release(&d->index);
	free(d->keys);
	*d = (struct dictionary){ .key_size = d->key_size };
}

/* Keeps the memory. The ids of the next keys begin at 1 again. */
void dictionary_clear(struct dictionary *d)
{
	index_clear(&d->index);
	d->count = d->last = 0;
}

/* Is `key` the key with this id? d->keys contains the keys one after the other. */
static bool is_key(const struct dictionary *d, uint32_t id, const void *key)
{
	return !memcmp(d->keys + (size_t)(id - 1) * d->key_size, key, d->key_size);
}

/* Adds a key whose hash is h. Returns its id; 0 means out of memory. */
static uint32_t add_key(struct dictionary *d, const void *key, uint32_t h)
{
	if (d->count == d->cap && !vec_grow((void **)&d->keys, &d->cap, d->key_size))
		return 0;
	memcpy(d->keys + (size_t)d->count * d->key_size, key, d->key_size);
	if (!index_add(&d->index, h, d->count + 1))
		return 0;
	return ++d->count;
}

uint32_t dictionary_id_hashed(struct dictionary *d, const void *key, uint32_t hash, bool *is_new)
{
	uint32_t place = hash, id;

	while ((id = index_next(&d->index, hash, &place)))
		if (is_key(d, id, key))
			break;
	*is_new = !id;
	return d->last = id ? id : add_key(d, key, hash);
}

/* If *is_new is set, the caller must write the row with this id: the dictionary only stores the
 * key. */
uint32_t dictionary_id(struct dictionary *d, const void *key, bool *is_new)
{
	*is_new = false;
	if (d->last && is_key(d, d->last, key))
		return d->last;
	return dictionary_id_hashed(d, key, index_hash_bytes(key, d->key_size, 0), is_new);
}
