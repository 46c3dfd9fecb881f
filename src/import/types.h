/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the types of objects as rows. Equal types from several files get one row. */
#ifndef MEMDB_IMPORT_TYPES_H
#define MEMDB_IMPORT_TYPES_H

#include "base/index.h"
#include "database/writer.h"
#include "symbol/type.h"

struct types {
	struct {
		const struct sym_type **at; /* by types.id; owned by the symbol files */
		uint32_t n, cap;
	} types;
	struct index index;
	uint32_t members; /* number of rows of members */
	bool nomem;
};

void types_release(struct types *t);

/* Returns the id of a type and writes its rows at the first call. 0 for NULL and when out of
 * memory, which sets t->nomem. */
uint32_t types_id(struct types *t, struct writer *w, const struct sym_type *type);

#endif
