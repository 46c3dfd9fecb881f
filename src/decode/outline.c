/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "decode/outline.h"

#include <stdlib.h>

#include "decode/insn.h"

/* Maximum number of bytes of all cached outlines (outline.h). The largest outline, for a function
 * of 2 MiB, takes a sixteenth of it. */
#define MOST_BYTES ((size_t)8 << 20)

static size_t outline_size(size_t len)
{
	return sizeof(struct outline) + 2 * (len / 8 + 1);
}

static void set_bit(struct outline *f, size_t bit)
{
	f->bits[bit / 8] |= 1u << bit % 8;
}

static bool is_set(const struct outline *f, size_t bit)
{
	return f->bits[bit / 8] >> bit % 8 & 1;
}

/* f->bits has two bit sets. Returns the index of the first bit of the second set, which contains
 * the targets of jumps. */
static size_t target_bits(const struct outline *f)
{
	return (f->len / 8 + 1) * 8;
}

bool outline_starts(const struct outline *f, size_t at)
{
	return is_set(f, at);
}

bool outline_is_target(const struct outline *f, size_t at)
{
	return is_set(f, target_bits(f) + at);
}

/* Fills in the outline of a function. After bytes that cannot be decoded, it is uncertain where
 * instructions begin, so some jumps found there may not exist. They are recorded nevertheless: an
 * extra target only makes an address unknown, while a missing target would make an address
 * wrong. */
static void scan_code(struct outline *f, const uint8_t *code, outline_step step, void *arg)
{
	bool certain = true;
	struct insn_step s;

	f->known = f->len;
	for (size_t at = 0; at < f->len; at += s.size) {
		step(arg, code + at, f->len - at, &s);
		if (!s.known && certain) {
			certain = false;
			f->known = at;
		}
		if (certain)
			set_bit(f, at);
		if (s.flow == FLOW_INDIRECT)
			f->indirect = true;
		if ((s.flow == FLOW_JUMP || s.flow == FLOW_BRANCH) &&
		    (uint64_t)at + (uint64_t)s.target < f->len)
			set_bit(f, target_bits(f) + (size_t)((uint64_t)at + (uint64_t)s.target));
	}
}

static void drop_outline(struct outlines *o, struct outline *f)
{
	HASH_DEL(o->by_key, f);
	o->bytes -= outline_size(f->len);
	free(f);
}

/* Adds outline f at the end of the hash table, which keeps the order of insertion. An outline that
 * is used is added again, so the first one is the one that was used least recently. If the cache is
 * too large, outlines are removed from its start. */
static void cache_outline(struct outlines *o, struct outline *f)
{
	HASH_ADD(hh, o->by_key, key, sizeof(f->key), f);
	if (!f->hh.tbl) { /* out of memory: f is not in the cache */
		f->key = 0;
		return;
	}
	o->bytes += outline_size(f->len);
	while (o->bytes > MOST_BYTES && o->by_key != f)
		drop_outline(o, o->by_key);
}

static struct outline *find_outline(struct outlines *o, uint64_t key, size_t len)
{
	struct outline *f;

	HASH_FIND(hh, o->by_key, &key, sizeof(key), f);
	if (!f)
		return NULL;
	/* the key belongs to a function of a different size, so the cached outline is wrong */
	if (f->len != len) {
		drop_outline(o, f);
		return NULL;
	}
	HASH_DEL(o->by_key, f);
	o->bytes -= outline_size(len);
	cache_outline(o, f);
	return f;
}

struct outline *outline_get(struct outlines *o, uint64_t key, const uint8_t *code, size_t len,
			    outline_step step, void *arg)
{
	struct outline *f = key ? find_outline(o, key, len) : NULL;

	if (f)
		return f;
	f = calloc(1, outline_size(len));
	if (!f)
		return NULL;
	f->key = key;
	f->len = len;
	scan_code(f, code, step, arg);
	if (key)
		cache_outline(o, f);
	return f;
}

void outline_done(struct outline *f)
{
	if (f && !f->key)
		free(f);
}

void outlines_release(struct outlines *o)
{
	while (o->by_key)
		drop_outline(o, o->by_key);
}
