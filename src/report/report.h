/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the ranked summary of a database, as text for a terminal. */
#ifndef MEMDB_REPORT_REPORT_H
#define MEMDB_REPORT_REPORT_H

#include <stdio.h>

#include "base/err.h"
#include "database/select.h"

enum { REPORT_COLUMNS = 100 }; /* width of the tables of a report, in characters */

/* Ways to group objects: by name and place (a pool has one row), call path (one row for each
 * object), type of their elements, or wrapper (the function that allocates for its callers). Ends
 * with NULL. `memdb report --by` accepts these words, and completion proposes them. */
extern const char *const report_groups[];

/*
 * Prints which program ran, the objects and lines that cost most, and suggestions for further
 * commands. `s` selects the samples that are counted; NULL means all. `by` is one of report_groups;
 * NULL means the first. Returns 0, or an error of select_open() or print_rows().
 */
int report_summary(const char *path, const struct selection *s, const char *by, FILE *out,
		   struct md_err *err);

/*
 * Prints the report on the object whose name or id is `name`. If several objects have the name,
 * lists them and takes the one that cost most. Returns 0, MD_EUSAGE if there is none, or an error
 * of report_summary().
 */
int report_object(const char *path, const struct selection *s, const char *name, FILE *out,
		  struct md_err *err);

#endif
