/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds calls of C and C++ by their arguments, and the functions that they call. */
#ifndef MEMDB_NAMING_ARGUMENT_H
#define MEMDB_NAMING_ARGUMENT_H

#include "naming/function.h"

/* Sets *number to the index of the argument that consists of the tokens [from, end), in a call of a
 * plain function. Returns the position of the function's name; -1 if the tokens are no argument of
 * their own. */
int64_t call_with_argument(const struct view *v, int64_t from, int64_t end, int *number);

/* Returns the function of the file that has the name of token i; NULL if there is none. */
const struct function *function_named(const struct view *v, int64_t i);

#endif
