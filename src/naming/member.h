/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the member of a class for which a constructor allocates a block, where the constructor's
 * list of initializers does not name it. */
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
 * for a member that cannot hold a block, such as "bool dense". */
bool is_unlisted(const struct statement *st, const char *callee);

/* Is the statement the initializer of a member that cannot hold a block, such as "bool dense"? */
bool initializes_plain(const struct statement *st);

/* Writes to `out` the members that have a value in the definition of the class, in this order, as
 * in "a|b" for "struct S { T *a = new T; int n = 1; V b = V(9); };". Leaves out members that cannot
 * hold a block. Returns false if the file does not define the class, if there are no such members,
 * or if they do not fit. */
bool members_with_values(const struct view *v, struct word class, char *out, size_t size);

#endif
