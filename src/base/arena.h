/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An arena allocates memory that is freed all at once; addresses stay valid until then.
 * A string table stores each different string once, in an arena. Threads must not share an arena or
 * a string table. */
#ifndef MEMDB_BASE_ARENA_H
#define MEMDB_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "base/index.h"

struct arena_block;

struct arena {
	struct arena_block *blocks;
	size_t used; /* bytes that were allocated so far */
};

/* Frees all memory and leaves an empty arena. { 0 } is an empty arena. */
void arena_release(struct arena *a);

/* Likewise, but keeps one piece of memory for the next allocations. */
void arena_clear(struct arena *a);

/* Allocates n zeroed bytes, aligned for any type. Returns NULL when out of memory. */
void *arena_alloc(struct arena *a, size_t n);

/* Copies s[0..n) and adds a NUL. Returns NULL when out of memory. */
char *arena_copy(struct arena *a, const char *s, size_t n);

/*
 * A string table. Each different string is stored once and has an id; ids are 1, 2, 3, …, so 0 can
 * mean "none".
 */
struct strings {
	struct arena arena;
	struct index index;
	const char **at; /* indexed by id - 1 */
	uint32_t n, cap;
};

/* Frees all strings and leaves an empty table. { 0 } is an empty table. */
void strings_release(struct strings *t);

/* Returns the id of s; adds it to the table if it is new. 0 means out of memory. strings_id() is
 * for a NUL-terminated string. */
uint32_t strings_id(struct strings *t, const char *s);
uint32_t strings_id_n(struct strings *t, const char *s, size_t n);

/* Returns the string with this id; NULL for id 0. Valid until strings_release(). */
static inline const char *strings_text(const struct strings *t, uint32_t id)
{
	return id ? AT_ID(*t, id) : NULL;
}

#endif
