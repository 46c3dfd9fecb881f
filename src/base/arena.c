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

void arena_clear(struct arena *a)
{
	struct arena_block *b = a->blocks;

	if (!b)
		return;
	a->blocks = b->next;
	arena_release(a);
	memset(b->bytes, 0, b->used);
	b->used = 0;
	b->next = NULL;
	a->blocks = b;
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
	index_release(&t->index);
	free(t->at);
	memset(t, 0, sizeof(*t));
}

uint32_t strings_id_n(struct strings *t, const char *s, size_t n)
{
	uint32_t hash = index_hash_bytes(s, n, 0), place = hash, id;
	char *copy;

	while ((id = index_next(&t->index, hash, &place))) {
		const char *have = AT_ID(*t, id);

		if (!strncmp(have, s, n) && !have[n])
			return id;
	}
	copy = arena_copy(&t->arena, s, n);
	if (!copy || !VEC_ROOM(t) || !index_add(&t->index, hash, t->n + 1))
		return 0;
	t->at[t->n++] = copy;
	return t->n;
}

uint32_t strings_id(struct strings *t, const char *s)
{
	return strings_id_n(t, s, strlen(s));
}
