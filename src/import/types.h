/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The types of objects, as rows: each once, of whatever files. */
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
	uint32_t members; /* rows so far */
	bool nomem;
};

void types_release(struct types *t);

/* The id of a type, whose rows are written with the first question; 0 for NULL. */
uint32_t types_id(struct types *t, struct writer *w, const struct sym_type *type);

#endif
