/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions with what memory costs at each. */
#ifndef MEMDB_REPORT_ANNOTATE_CODE_H
#define MEMDB_REPORT_ANNOTATE_CODE_H

#include <sqlite3.h>
#include <stdio.h>

#include "base/err.h"

/*
 * Prints the code around the instructions that have samples, of a function (NULL: of those that
 * cost most, at most `top`), with the lines that they are of. Marks those that were waited for.
 * Files that are not here, or not those that ran, are named on stderr. MD_EUSAGE: the function has
 * no samples.
 */
int annotate_code(sqlite3 *db, const char *function, int top, FILE *out, struct md_err *err);

#endif
