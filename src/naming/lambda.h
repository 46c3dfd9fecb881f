/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names the blocks that a lambda of C++ captures, and those that a structured binding names. */
#ifndef MEMDB_NAMING_LAMBDA_H
#define MEMDB_NAMING_LAMBDA_H

#include "naming/holder.h"

/* If the statement makes a lambda that captures variables by value, sets *h to the variable that it
 * copies or initializes there: "task.grid" in "auto task = [grid](int i) { … };" and in "auto task
 * = [grid = load(n)] …". Without a name for the lambda, it is "grid". If there are several such
 * variables, it is the one at the position that debug information reports. Returns false if there
 * is none, or if it is unknown which one. `callee` is the function that the statement calls; false
 * if it is one for the lambda itself, such as the constructor of a std::function. */
bool captured_at(struct holder *h, const struct statement *st, const char *callee);

#endif
