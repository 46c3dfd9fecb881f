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
	const char *object; /* only lines that access this object, by id or name; NULL means all */
	bool instructions;  /* prints instructions instead of the source */
	struct source_paths sources;
};

/*
 * Prints the lines with samples or first touches, and the lines around them if the source is on
 * this machine. Returns 0, MD_EUSAGE if there is no such function, file or object, or an error of
 * report_summary().
 */
int report_annotate(const struct annotate_options *o, FILE *out, struct md_err *err);

#endif
