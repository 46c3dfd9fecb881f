/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queries types from the process that reads DWARF. Equal types are stored once. */
#include "symbol/type.h"

#include <string.h>

#include "symbol/file.h"

/* Compares names by their pointers: the file stores each name only once. */
static bool same_type(const struct sym_type *a, const struct sym_type *b)
{
	if (a->name != b->name || a->kind != b->kind || a->size != b->size ||
	    a->nmembers != b->nmembers)
		return false;
	for (uint32_t i = 0; i < a->nmembers; i++) {
		const struct sym_member *x = &a->members[i], *y = &b->members[i];

		if (x->name != y->name || x->type != y->type || x->offset != y->offset ||
		    x->size != y->size)
			return false;
	}
	return true;
}

static const struct sym_type *intern_type(struct sym_file *f, const struct sym_type *t)
{
	const uint32_t hash = index_hash((uintptr_t)t->name, t->size);
	uint32_t place = hash, id;
	struct sym_member *members;
	struct sym_type *kept;

	while ((id = index_next(&f->types_index, hash, &place)))
		if (same_type(AT_ID(f->types, id), t))
			return AT_ID(f->types, id);
	kept = arena_alloc(&f->arena, sizeof(*kept));
	members = arena_alloc(&f->arena, t->nmembers * sizeof(*members));
	if (!kept || !members || !VEC_ROOM(&f->types) ||
	    !index_add(&f->types_index, hash, f->types.n + 1))
		return NULL;
	memcpy(members, t->members, t->nmembers * sizeof(*members));
	*kept = *t;
	kept->members = members;
	return f->types.at[f->types.n++] = kept;
}

const struct sym_type *sym_type(struct sym_file *f, const struct sym_type_query *q)
{
	struct dwarf *d = file_dwarf(f);
	struct sym_type t;

	return d && dwarf_type(d, q, &t) ? intern_type(f, &t) : NULL;
}
