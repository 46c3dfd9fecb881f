/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out how the source text of a C or C++ function uses a name. Also splits the names of
 * functions into their parts. */
#ifndef MEMDB_NAMING_FUNCTION_H
#define MEMDB_NAMING_FUNCTION_H

#include "naming/scope.h"

struct word {
	const char *s;
	size_t len;
};

/* Returns where a search of the function's body ends that begins at token `from`: at the end of the
 * body, or earlier in a large function, so that it does not take long. */
int64_t search_end(const struct function *f, int64_t from);

bool is_same_word(struct word a, struct word b);

/* Is token i of the file this name? */
bool view_is_word(const struct view *v, int64_t i, struct word w);

/* Returns the index of the parameter with this name; -1 if there is none. Sets *is_reference if the
 * parameter is a reference: it is then another name for a variable of the caller. */
int function_parameter(const struct view *v, const struct function *f, struct word name,
		       bool *is_reference);

/* Returns the name of parameter `number`, which counts from 0; an empty word if there is none. */
struct word function_parameter_name(const struct view *v, const struct function *f, int number);

/* Do two pointers, which are local variables or parameters of the function, have types with
 * different names? Returns false if the declaration of one of them is not found. */
bool function_types_differ(const struct view *v, const struct function *f, struct word a,
			   struct word b);

/* Does the function's body declare a variable of this name? */
bool function_declares(const struct view *v, const struct function *f, struct word name);

/* Returns the position of the value after the casts and "std::move(" that begin at token i. */
int64_t after_casts(const struct view *v, int64_t i);

/* Does the function return this variable, or an address inside the block to which it points, at
 * least on one condition: "return p;", "return (T *)(p + 1);", "return std::move(p);", "s = p + 1;
 * return s;", "return ok ? p : NULL;"? */
bool function_returns(const struct view *v, const struct function *f, struct word name);

/* The parts of a function's name in debug information: "ns::Grid<T>::alloc(int)" has the owner Grid
 * and the name alloc. The owner is a class or a namespace; it is empty if there is none. */
struct method {
	struct word owner, name;
};
struct method method_of(const char *pretty);
bool is_constructor(const struct method *m);

/* Does the name of a function, without its class, parameters and template arguments, say that it
 * allocates for its caller, as "grid_alloc" and "arena_mmap" do? */
bool name_allocates(const char *pretty);

/* Is the function an operator of C++, such as "Vec::operator=(Vec const&)"? An expression of its
 * caller uses it. Not so new and delete, conversions and "operator()", which lambdas have. */
bool is_operator(const char *pretty);

/* Can `written` be how the source writes the function that debug information calls `name`? True if
 * they are equal, and if a macro puts a prefix before the name, as in "#define sort_keys
 * lib__sort_keys". */
bool is_name_of(struct word name, struct word written);

/* Returns where the name begins in `pretty`. A demangled template begins with its return type:
 * "void std::vector<…>::…", "T* foo<…>(…)". The name begins after the last space that is outside
 * all brackets and before the parameters. */
const char *skip_return_type(const char *pretty);

/* Do parameters follow the name, as in the demangled names of C++ but not of Rust? */
bool has_parameters(const char *pretty);

/* Writes a function's name to `out`, without return type, template arguments and parameters. Cuts a
 * name that does not fit. */
void short_function(const char *pretty, char *out, size_t size);

#endif
