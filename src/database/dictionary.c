/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Assigns numbers to values that repeat. Samples at the same instruction have equal instructions
 * and often equal kinds of access, so a row stores two numbers instead of twenty columns.
 *
 * Keys are compared as bytes: a struct that is used as a key has no padding, or padding that is
 * always zero. Samples at the same instruction come in bursts, so the key found last is compared
 * first.
 */
#include "database/dictionary.h"

#include <string.h>

/* Frees all, but keeps the size of keys. */
void dictionary_release(struct dictionary *d)
{
	index_release(&d->index);
	free(d->keys);
	*d = (struct dictionary){ .key_size = d->key_size };
}

/* Keeps the memory. Ids begin at 1 again. */
void dictionary_clear(struct dictionary *d)
{
	index_clear(&d->index);
	d->count = d->last = 0;
}

/* Compares a key. Keys are packed one after the other. */
static bool is_key(const struct dictionary *d, uint32_t id, const void *key)
{
	return !memcmp(d->keys + (size_t)(id - 1) * d->key_size, key, d->key_size);
}

/* Adds a key. Returns its id, 0 when out of memory. */
static uint32_t add_key(struct dictionary *d, const void *key, uint32_t h)
{
	if (d->count == d->cap && !vec_grow((void **)&d->keys, &d->cap, d->key_size))
		return 0;
	memcpy(d->keys + (size_t)d->count * d->key_size, key, d->key_size);
	if (!index_add(&d->index, h, d->count + 1))
		return 0;
	return ++d->count;
}

/* Finds or adds a key. The caller writes the key's row if *is_new is set. */
uint32_t dictionary_id(struct dictionary *d, const void *key, bool *is_new)
{
	uint32_t h, place, id;

	*is_new = false;
	if (d->last && is_key(d, d->last, key))
		return d->last;
	h = place = index_hash_bytes(key, d->key_size, 0);
	while ((id = index_next(&d->index, h, &place)))
		if (is_key(d, id, key))
			return d->last = id;
	*is_new = true;
	return d->last = add_key(d, key, h);
}
