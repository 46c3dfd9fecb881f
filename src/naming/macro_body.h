/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the definition of one macro, and puts it in place of a call. */
#ifndef MEMDB_NAMING_MACRO_BODY_H
#define MEMDB_NAMING_MACRO_BODY_H

#include "naming/source.h"

/* A macro's parameters and body: tokens of its definition. */
struct macro_definition {
	struct tokens tokens;
	int parameters; /* the opening bracket */
	int body;       /* the first token of the body */
};

/* Reads the definition of the macro `name` that begins at a line of the file. Returns false if the
 * macro has no parameters. `not_after` is that of source_line(). */
bool macro_definition(struct sources *s, const char *path, uint32_t line, int64_t not_after,
		      const char *name, struct macro_definition *d);

/* Writes to `out` the tokens `ts` with the macro call at token i replaced by the definition. The
 * texts of tokens that "##" joins belong to *s. Returns false if the arguments do not end. */
bool macro_replace(struct sources *s, const struct tokens *ts, int i,
		   const struct macro_definition *d, struct tokens *out);

#endif
