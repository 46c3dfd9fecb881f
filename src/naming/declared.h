/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out whether the variable to which a statement assigns something is the object that the
 * statement constructs. */
#ifndef MEMDB_NAMING_DECLARED_H
#define MEMDB_NAMING_DECLARED_H

#include "naming/holder.h"

/* Is the object that the statement makes at token i an argument of a plain function? Then the
 * variable n, to which the function's result is assigned, is another object. */
bool is_passed_on(const struct tokens *ts, int i, struct name n);

/* Is the class written before the variable n? Then a function that gets a new object of this class
 * and whose result is assigned to n is assumed to return the object, as checked(new Grid) does. */
bool declares_class(const struct tokens *ts, struct name n, struct word class);

/* Does the statement declare the variable n as a container of this class, as in "std::vector<Grid>
 * v{ Grid(3), Grid(4) };"? Then it makes temporary objects of the class, which the container
 * copies. */
bool declares_container(const struct tokens *ts, struct name n, struct word class);

#endif
