/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a function of C or C++ does with a name, as far as its text shows it. */
#ifndef MEMDB_NAMING_FUNCTION_H
#define MEMDB_NAMING_FUNCTION_H

#include "naming/scope.h"

struct word {
	const char *s;
	size_t len;
};

/* The index of the parameter with that name; -1: none. *is_reference: it refers to the caller's
 * variable. */
int function_parameter(const struct view *v, const struct function *f, struct word name,
		       bool *is_reference);

/* Does the body declare a variable of that name? */
bool function_declares(const struct view *v, const struct function *f, struct word name);

/* Does a statement return the variable itself: "return p;", "return (T *)p;", "return
 * std::move(p);"? */
bool function_returns(const struct view *v, const struct function *f, struct word name);

/*
 * Splits a function's name as debug information writes it: "ns::Grid<T>::alloc(int)" gives class
 * Grid and name alloc. The class is empty if there is none, or if the name before "::" may be a
 * namespace.
 */
struct method {
	struct word owner, name;
};
struct method method_of(const char *pretty);
bool is_constructor(const struct method *m);

/* The short form of a function's name, without template arguments and parameters. Truncated if
 * it does not fit. */
void short_function(const char *pretty, char *out, size_t size);

#endif
