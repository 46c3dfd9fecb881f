/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ranked summary of a database, as text for a terminal.
 */
#ifndef MEMDB_REPORT_REPORT_H
#define MEMDB_REPORT_REPORT_H

#include <stdio.h>

#include "base/err.h"
#include "database/select.h"

enum { REPORT_COLUMNS = 100 }; /* width of its tables */

/* Prints what ran, the objects and lines that cost most, and what to ask next. s: of which samples;
 * NULL: of all. Errors are those of select_open() and print_rows(). */
int report_summary(const char *path, const struct selection *s, FILE *out, struct md_err *err);

/* Prints the page of one object, named by its id or name (of several the one that cost most).
 * MD_EUSAGE: there is none; else as report_summary(). */
int report_object(const char *path, const struct selection *s, const char *name, FILE *out,
		  struct md_err *err);

#endif
