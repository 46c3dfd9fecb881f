/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the member of a class for which a constructor allocates a block, where the constructor's
 * list of initializers does not name it. If a file defines several classes of one name, a statement
 * in one of them means that one. Otherwise it is unknown which is meant, as if the file defined
 * none. */
#ifndef MEMDB_NAMING_MEMBER_H
#define MEMDB_NAMING_MEMBER_H

#include "naming/function.h"
#include "naming/source.h"

/* Is the statement in front of the function's body: in its declaration, or in a constructor's list
 * of initializers? */
bool is_in_head(const struct statement *st);

/* Did the constructor of a member allocate the block, although the list of initializers does not
 * contain this member? Compilers report such a call in the declaration of the function, up to the
 * ")" of its parameters, or at the list's last entry. There it is recognised if this entry has
 * arguments and the called constructor, `callee` in debug information, has none, or if the entry is
 * for a member that cannot hold a block, such as "bool dense". If other members have values in the
 * definition of the class, or if it is unknown which class of this name it is, the block may also
 * be that of the last entry. */
bool is_unlisted(const struct statement *st, const char *callee);

/* Is the statement a call of a macro that defines functions? It looks like an entry of a list of
 * initializers, but only constructors have one. */
bool is_macro_call(const struct statement *st, const char *function);

/* Is the statement the initializer of a member that cannot hold a block, such as "bool dense"? */
bool initializes_plain(const struct statement *st);

/* Is the statement the end of a constructor's list, and unknown which class of this name it is, and
 * so whether the class has members that the list does not contain? */
bool ends_unknown_list(const struct statement *st);

/* Is the statement the initializer of a member of this class? `class` is a part of a name in debug
 * information. */
bool initializes_class(const struct statement *st, struct word class);

/* Writes to `out` the members that have a value in the definition of the class, in this order, as
 * in "a|b" for "struct S { T *a = new T; int n = 1; V b = V(9); };". If *st is a constructor's, the
 * members of its list have other values: leaves them out, except those on the line of *st. Leaves
 * out members that cannot hold a block. Returns false if the file does not define the class, if
 * there are no such members, or if they do not fit. */
bool members_with_values(const struct statement *st, struct word class, char *out, size_t size);

/* Returns the line on which the definition of the class declares the member `name`; 0 if the file
 * does not define the class, or if there is no such member. */
uint32_t member_line(const struct view *v, struct word class, struct word name);

/* Does the file define this class as a template with access to elements (operator[], operator(),
 * at, begin or data)? Such a class is a container, whatever its name is. */
bool is_container_template(const struct view *v, struct word class);

/* Returns member `number`, from 0, of the class: the one that gets this value of "Class{ a, b }" if
 * the class has no constructor and no base class. Returns an empty word if there is none, or if the
 * file does not define the class. */
struct word member_number(const struct view *v, struct word class, int number);

/* Did the compiler generate this function: a constructor or an assignment without source text?
 * Debug information reports all its calls at the definition of the class. `function` is its name in
 * debug information. */
bool is_generated(const struct statement *st, const char *function);

/* Did the compiler generate this function, and does it copy an object? */
bool is_generated_copy(const struct statement *st, const char *function);

/* Is the method an operator that assigns an object? */
bool is_assignment(const struct method *m);

/* Is the method an operator[]? */
bool is_subscript(const struct method *m);

/* Writes to `out` the members of `class` that can hold a block which a generated function
 * allocates, as in "a|b", in the order of the definition. `callee` is what that function calls,
 * such as "std::vector<int, …>::vector(…)". If only one member has the callee's class as its type,
 * sets *only to it, and `out` may be incomplete; only->s is NULL otherwise. Returns false if the
 * file does not define the class, if there are no such members, or if they do not fit. */
bool members_for(const struct view *v, struct word class, const char *callee, char *out,
		 size_t size, struct word *only);

/* Is `callee` a method of a base class of `class`? */
bool is_base_of(const struct view *v, struct word class, const char *callee);

#endif
