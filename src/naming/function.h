/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a function of C or C++ does with a name, as far as its text shows it. */
#ifndef MEMDB_NAMING_FUNCTION_H
#define MEMDB_NAMING_FUNCTION_H

#include "naming/scope.h"

struct word {
	const char *s;
	size_t len;
};

/* Which parameter it is, from 0; -1: none. *is_reference: a change of it is one of the caller's
 * variable. */
int function_parameter(const struct view *v, const struct function *f, struct word name,
		       bool *is_reference);

/* Does the body declare a variable of that name? */
bool function_declares(const struct view *v, const struct function *f, struct word name);

/* Does a statement return the variable itself: "return p;", "return (T *)p;", "return
 * std::move(p);"? */
bool function_returns(const struct view *v, const struct function *f, struct word name);

/*
 * The class and the name of a function as debug information writes it: "ns::Grid<T>::alloc(int)" is
 * Grid and alloc. An empty class: there is none, or what stands before "::" may be a namespace too.
 */
struct method {
	struct word owner, name;
};
struct method method_of(const char *pretty);
bool is_constructor(const struct method *m);

/* The function as people say it: without template arguments and parameters. Cut where it does not
 * fit. */
void short_function(const char *pretty, char *out, size_t size);

#endif
