/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that is freed all at once, and strings stored once. Addresses stay valid until
 * arena_release(). Nothing here is safe against use by two threads.
 */
#ifndef MEMDB_BASE_ARENA_H
#define MEMDB_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "base/index.h"

struct arena_block;

struct arena {
	struct arena_block *blocks;
	size_t used; /* bytes handed out */
};

/* { 0 } is an empty arena. */
void arena_release(struct arena *a);

/* n zeroed bytes aligned for any type, or NULL when out of memory. */
void *arena_alloc(struct arena *a, size_t n);

/* A NUL-terminated copy of s[0..n), or NULL when out of memory. */
char *arena_copy(struct arena *a, const char *s, size_t n);

/*
 * Interned strings: equal bytes get the same small id, counted from 1, so id 0 can mean "none".
 */
struct strings {
	struct arena arena;
	struct index index;
	const char **at; /* by id - 1 */
	uint32_t n, cap;
};

/* { 0 } is an empty table. */
void strings_release(struct strings *t);

/* The id of s (which must be NUL-terminated), or 0 when out of memory. */
uint32_t strings_id(struct strings *t, const char *s);
uint32_t strings_id_n(struct strings *t, const char *s, size_t n);

/* The text of an id from strings_id(); NULL for 0. Valid until strings_release(). */
static inline const char *strings_text(const struct strings *t, uint32_t id)
{
	return id ? AT_ID(*t, id) : NULL;
}

#endif
