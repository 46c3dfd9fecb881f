/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growing list of strings that ends with NULL, as execve() needs it: command lines, environments,
 * warnings.
 */
#ifndef MEMDB_BASE_WORDS_H
#define MEMDB_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A list of strings. The list owns the strings. { 0 } is an empty list. */
struct words {
	char **v; /* n strings and a NULL; NULL before the first string is added */
	size_t n, cap;
	bool failed; /* memory ran out; stays set, and nothing more is added */
};

void words_release(struct words *w);

void words_add(struct words *w, const char *s);
void words_addf(struct words *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Adds copies of the strings v[0], v[1], …, up to a NULL; none if v itself is NULL. */
void words_add_all(struct words *w, char *const *v);

/* Returns the value of the variable `name` in *w, which is an environment; NULL if it is not set.
 */
const char *words_env(const struct words *w, const char *name);

/* Replaces or adds the variable `name`. */
void words_set_env(struct words *w, const char *name, const char *value);

/* Removes the variable `name`. */
void words_unset_env(struct words *w, const char *name);

/* Prints the words as one line that a shell would read as these words. */
void words_print(const struct words *w, FILE *f);

#endif
