/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source text with what memory costs at each line. */
#ifndef MEMDB_REPORT_ANNOTATE_H
#define MEMDB_REPORT_ANNOTATE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "report/sourcepath.h"

struct annotate_options {
	const char *database;
	const char *place;  /* a function, or FILE[:LINE]; NULL: the functions that cost most */
	const char *object; /* only lines that access it, by id or name; NULL: all */
	bool instructions;  /* its code instead of its source */
	struct source_paths sources;
};

/*
 * Prints the lines with samples or first touches, and those around them where the source is here.
 * Returns 0; MD_EUSAGE: there is no such function, file or object; else as report_summary().
 */
int report_annotate(const struct annotate_options *o, FILE *out, struct md_err *err);

#endif
