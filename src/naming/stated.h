/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The type that the text of an allocating statement states for what it allocates. */
#ifndef MEMDB_NAMING_STATED_H
#define MEMDB_NAMING_STATED_H

#include "naming/assign.h"

/* "new Order[n]" gives "Order": of several the last before token `at`, else the first. *is_array:
 * it is an array. False, and "" in out, where there is none or it does not fit. */
bool stated_by_new(const struct tokens *ts, int at, char *out, size_t size, bool *is_array);

/* "malloc(n * sizeof(struct node))" gives "struct node", "malloc(sizeof *p)" "*p"; none where
 * several differ. */
bool stated_by_sizeof(const struct tokens *ts, char *out, size_t size);

/* "NEW_ARRAY(struct node, n)", "CTAlloc(double, n)": the first argument of a macro whose name says
 * that it allocates. It may be anything but a type, too. */
bool stated_by_argument(const struct tokens *ts, char *out, size_t size);

/* "(struct node *)malloc(n)", "static_cast<T *>(malloc(n))" give what is pointed at. */
bool stated_by_cast(const struct tokens *ts, char *out, size_t size);

#endif
