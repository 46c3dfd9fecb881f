/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints source text with the memory cost of each line. */
#ifndef MEMDB_REPORT_ANNOTATE_H
#define MEMDB_REPORT_ANNOTATE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "report/sourcepath.h"

struct annotate_options {
	const char *database;
	const char *place; /* a function, or FILE[:LINE]; NULL means the functions that cost most */
	/* id or name of an object: only lines that access it; NULL means all lines */
	const char *object;
	bool instructions; /* print machine instructions instead of source lines */
	struct source_paths sources;
};

/*
 * Prints the source lines that have samples or that were the first to access memory pages, with
 * their costs. If the source file is on this machine, also prints the lines around them. Returns 0,
 * MD_EUSAGE if there is no such function, file or object, or an error of report_summary().
 */
int report_annotate(const struct annotate_options *o, FILE *out, struct md_err *err);

#endif
