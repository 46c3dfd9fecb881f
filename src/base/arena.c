/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 64 * 1024, ALIGN = _Alignof(max_align_t) };

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	_Alignas(max_align_t) unsigned char bytes[];
};

void arena_release(struct arena *a)
{
	while (a->blocks) {
		struct arena_block *b = a->blocks;

		a->blocks = b->next;
		free(b);
	}
	a->used = 0;
}

void *arena_alloc(struct arena *a, size_t n)
{
	struct arena_block *b = a->blocks;
	void *p;

	if (n > SIZE_MAX / 2)
		return NULL;
	n = (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (!b || b->size - b->used < n) {
		size_t size = n > BLOCK_BYTES ? n : BLOCK_BYTES;

		b = calloc(1, sizeof(*b) + size);
		if (!b)
			return NULL;
		b->size = size;
		b->next = a->blocks;
		a->blocks = b;
	}
	p = b->bytes + b->used;
	b->used += n;
	a->used += n;
	return p;
}

char *arena_copy(struct arena *a, const char *s, size_t n)
{
	char *p = arena_alloc(a, n + 1);

	if (p)
		memcpy(p, s, n);
	return p;
}

void strings_release(struct strings *t)
{
	arena_release(&t->arena);
	free(t->text);
	free(t->slots);
	free(t->hashes);
	memset(t, 0, sizeof(*t));
}

static uint32_t hash_bytes(const char *s, size_t n)
{
	uint64_t h = 0xcbf29ce484222325u ^ n; /* FNV-1a, folded */

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * 0x100000001b3u;
	return (uint32_t)(h ^ h >> 32);
}

static int strings_grow(struct strings *t)
{
	uint32_t nslots = t->nslots ? t->nslots * 2 : 256;
	uint32_t cap = nslots / 2;
	const char **text = realloc(t->text, cap * sizeof(*text));
	uint32_t *hashes, *slots;

	if (!text)
		return -1;
	t->text = text;
	hashes = realloc(t->hashes, cap * sizeof(*hashes));
	if (!hashes)
		return -1;
	t->hashes = hashes;
	slots = calloc(nslots, sizeof(*slots));
	if (!slots)
		return -1;
	for (uint32_t id = 1; id <= t->count; id++) {
		uint32_t k = t->hashes[id - 1] & (nslots - 1);

		while (slots[k])
			k = (k + 1) & (nslots - 1);
		slots[k] = id;
	}
	free(t->slots);
	t->slots = slots;
	t->nslots = nslots;
	t->cap = cap;
	return 0;
}

uint32_t strings_id_n(struct strings *t, const char *s, size_t n)
{
	uint32_t h = hash_bytes(s, n), k;
	char *copy;

	if (t->count == t->cap && strings_grow(t))
		return 0;
	for (k = h & (t->nslots - 1); t->slots[k]; k = (k + 1) & (t->nslots - 1)) {
		uint32_t id = t->slots[k];

		if (t->hashes[id - 1] == h && !strncmp(t->text[id - 1], s, n) &&
		    !t->text[id - 1][n])
			return id;
	}
	copy = arena_copy(&t->arena, s, n);
	if (!copy)
		return 0;
	t->text[t->count] = copy;
	t->hashes[t->count] = h;
	t->slots[k] = ++t->count;
	return t->count;
}

uint32_t strings_id(struct strings *t, const char *s)
{
	return strings_id_n(t, s, strlen(s));
}
