/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the definition of one macro, and puts it in place of a call. */
#ifndef MEMDB_NAMING_MACRO_BODY_H
#define MEMDB_NAMING_MACRO_BODY_H

#include "naming/source.h"

/* Tokens of any number, up to a limit. Starts with zeros; the owner frees `at`. */
struct token_list {
	struct token *at;
	uint32_t n, cap;
	bool failed; /* out of memory, or more tokens than the limit: some are missing */
};

void token_list_add(struct token_list *l, const struct token *t);

/* A macro's parameters and body: tokens of its definition. The owner frees tokens.at. */
struct macro_definition {
	/* begins with the bracket before the parameters, if there are any */
	struct token_list tokens;
	int body; /* the first token of the body; 0: the macro has no parameters */
};

/* Reads the definition of the macro `name` that begins at a line of the file. Returns false if the
 * parameters do not end, or when out of memory; then *d owns nothing. `not_after` is that of
 * source_line(). */
bool macro_definition(struct sources *s, const char *path, uint32_t line, int64_t not_after,
		      const struct token *name, struct macro_definition *d);

/* Appends to `out` the definition, with the arguments of the macro call at token i of ts[0..n) in
 * place of the parameters. If the macro has none, token i is all of the call. The texts of tokens
 * that "##" joins belong to *s. Returns the position after the call; 0 if the arguments do not end.
 */
int macro_replace(struct sources *s, const struct token *ts, int n, int i,
		  const struct macro_definition *d, struct token_list *out);

#endif
