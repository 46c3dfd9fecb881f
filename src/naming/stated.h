/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the type of allocated objects in the text of the statement that allocates them. */
#ifndef MEMDB_NAMING_STATED_H
#define MEMDB_NAMING_STATED_H

#include "naming/assign.h"

/* Writes to `out` the type after "new": "Order" for "new Order[n]". If the statement contains
 * several "new", the last one at or before token `at` counts, otherwise the first. Sets *is_array
 * to whether an array is allocated. Returns false if there is no type or if it does not fit. */
bool stated_by_new(const struct tokens *ts, int at, char *out, size_t size, bool *is_array);

/* Writes to `out` the operand of sizeof: "struct node" for "malloc(n * sizeof(struct node))", "*p"
 * for "malloc(sizeof *p)", "*p" also for "malloc(sizeof *p + n * sizeof(int))". Returns false if
 * there is no sizeof, if the operand does not fit, or if it is unknown which of several different
 * ones the block begins with. */
bool stated_by_sizeof(const struct tokens *ts, char *out, size_t size);

/* Does the call at token i have only the argument sizeof, as in "malloc(sizeof(struct node))"? */
bool stated_as_one(const struct tokens *ts, int i);

/* Is the size of the block a sum that has sizeof as a term of its own, as in "malloc(sizeof(*p) +
 * n)", or that of one object without sizeof, as in "calloc(1, bytes)"? Then other data may follow
 * one element of the type. */
bool stated_with_rest(const struct tokens *ts);

/* Is the size of the block a sum with a multiple of sizeof, as in "malloc(n * sizeof(*p) + 64)"?
 * Then the program may put the first element at an aligned address after the block's begin. */
bool stated_with_slack(const struct tokens *ts);

/* Writes to `out` the first argument, which may be a type, of a macro whose name contains "alloc"
 * or "new": "struct node" for "NEW_ARRAY(struct node, n)", "double" for "CTAlloc(double, n)".
 * Returns false if there is no such macro with a second argument, or if the first one does not fit.
 */
bool stated_by_argument(const struct tokens *ts, char *out, size_t size);

/* Writes to `out` the type T of a cast of the block: "(T *)malloc(n)" or "static_cast<T
 * *>(malloc(n))". Returns false if there is no such cast or if the type does not fit. */
bool stated_by_cast(const struct tokens *ts, char *out, size_t size);

#endif
