/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the types of objects and their members. Many variables have the same type, and each file's
 * debug information describes it again. Equal descriptions get one id and one set of rows. */
#include "import/types.h"

#include <string.h>

#include "base/count.h"

/* Are the texts equal? NULL (no name) equals only NULL. */
static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Are the types equal? Compares their contents, because the debug information of each file has its
 * own copy of a type. */
static bool same_type(const struct sym_type *a, const struct sym_type *b)
{
	if (a == b)
		return true;
	if (a->kind != b->kind || a->size != b->size || a->nmembers != b->nmembers ||
	    !same_text(a->name, b->name))
		return false;
	for (uint32_t i = 0; i < a->nmembers; i++)
		if (a->members[i].offset != b->members[i].offset ||
		    a->members[i].size != b->members[i].size ||
		    !same_text(a->members[i].name, b->members[i].name) ||
		    !same_text(a->members[i].type, b->members[i].type))
			return false;
	return true;
}

/* Writes the rows of a type and its members. Members have ids, because samples refer to them. */
static void write_type(struct types *t, struct writer *w, uint32_t id, const struct sym_type *type)
{
	static const char *const kinds[] = {
		[SYM_STRUCT] = "struct",
		[SYM_UNION] = "union",
		[SYM_SCALAR] = "scalar",
	};
	ASSERT_NAMES(kinds, SYM_SCALAR);

	writer_put_type(w, &(struct row_type){ .id = id,
					       .name = type->name,
					       .kind = kinds[type->kind],
					       .size_bytes = (int64_t)type->size });
	for (uint32_t i = 0; i < type->nmembers; i++)
		writer_put_member(w, &(struct row_member){
					     .id = ++t->members,
					     .type_id = id,
					     .name = type->members[i].name,
					     .offset = (int64_t)type->members[i].offset,
					     .size_bytes = (int64_t)type->members[i].size,
					     .type = type->members[i].type,
				     });
}

static const char *keep_text(struct types *t, const char *s)
{
	const char *copy = s ? arena_copy(&t->arena, s, strlen(s)) : NULL;

	t->nomem |= s && !copy;
	return copy;
}

/* Copies a type. The copy is needed because later types are compared with this one, and the caller
 * may have freed the original by then. NULL means out of memory. */
static const struct sym_type *keep_type(struct types *t, const struct sym_type *type)
{
	struct sym_type *copy = arena_alloc(&t->arena, sizeof(*copy));
	struct sym_member *m = arena_alloc(&t->arena, type->nmembers * sizeof(*m));

	if (!copy || !m)
		return NULL;
	for (uint32_t i = 0; i < type->nmembers; i++) {
		m[i] = type->members[i];
		m[i].name = keep_text(t, m[i].name);
		m[i].type = keep_text(t, m[i].type);
	}
	*copy = *type;
	copy->name = keep_text(t, type->name);
	copy->members = m;
	return t->nomem ? NULL : copy;
}

uint32_t types_id(struct types *t, struct writer *w, const struct sym_type *type)
{
	uint32_t hash, place, id;

	if (!type)
		return 0;
	hash = place = index_hash_bytes(type->name, strlen(type->name), type->size);
	while ((id = index_next(&t->index, hash, &place)))
		if (same_type(AT_ID(t->types, id), type))
			return id;
	type = keep_type(t, type);
	if (!type || !VEC_ROOM(&t->types) || !index_add(&t->index, hash, t->types.n + 1)) {
		t->nomem = true;
		return 0;
	}
	t->types.at[t->types.n++] = type;
	write_type(t, w, t->types.n, type);
	return t->types.n;
}

void types_release(struct types *t)
{
	arena_release(&t->arena);
	free(t->types.at);
	index_release(&t->index);
}
