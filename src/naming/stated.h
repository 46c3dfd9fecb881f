/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the type of the allocated objects in the text of an allocating statement. */
#ifndef MEMDB_NAMING_STATED_H
#define MEMDB_NAMING_STATED_H

#include "naming/assign.h"

/* Finds the type after "new": "new Order[n]" gives "Order". If there are several, the last one
 * at or before token `at` counts, otherwise the first. *is_array says whether it is an array.
 * Returns false if there is no type or if it does not fit. */
bool stated_by_new(const struct tokens *ts, int at, char *out, size_t size, bool *is_array);

/* Finds the operand of sizeof: "malloc(n * sizeof(struct node))" gives "struct node",
 * "malloc(sizeof *p)" gives "*p". Returns false if there is none, if it does not fit, or if
 * there are several different ones. */
bool stated_by_sizeof(const struct tokens *ts, char *out, size_t size);

/* Finds the first argument of a macro whose name contains "alloc" or "new": "NEW_ARRAY(struct node,
 * n)", "CTAlloc(double, n)". The argument need not be a type. Returns false if there is none. */
bool stated_by_argument(const struct tokens *ts, char *out, size_t size);

/* Finds the target of a cast to a pointer: T of "(T *)malloc(n)" and "static_cast<T *>(malloc(n))".
 * Returns false if there is none. */
bool stated_by_cast(const struct tokens *ts, char *out, size_t size);

#endif
