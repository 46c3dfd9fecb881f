/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the types of objects as rows. A type that several files describe gets one row. */
#ifndef MEMDB_IMPORT_TYPES_H
#define MEMDB_IMPORT_TYPES_H

#include "base/arena.h"
#include "base/index.h"
#include "database/writer.h"
#include "symbol/type.h"

struct types {
	struct {
		/* indexed by types.id - 1; copies in the arena */
		const struct sym_type **at;
		uint32_t n, cap;
	} types;
	struct index index;
	struct arena arena;
	uint32_t members; /* number of rows of members written so far */
	bool nomem;
};

void types_release(struct types *t);

/* Returns the types.id of a type. The first call for a type writes its rows. Returns 0 if `type` is
 * NULL. When out of memory, sets t->nomem and returns 0. */
uint32_t types_id(struct types *t, struct writer *w, const struct sym_type *type);

#endif
