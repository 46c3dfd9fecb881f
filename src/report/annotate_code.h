/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints instructions with their memory costs. */
#ifndef MEMDB_REPORT_ANNOTATE_CODE_H
#define MEMDB_REPORT_ANNOTATE_CODE_H

#include <sqlite3.h>
#include <stdio.h>

#include "base/err.h"

/*
 * Prints the machine code around the sampled instructions of a function, with their source lines.
 * If `function` is NULL, prints the functions that cost most, at most `top` of them. Marks the
 * instructions whose memory access a thread waited for. Names on stderr the program files that are
 * missing or that are not the ones that ran. Returns 0, MD_EUSAGE if the function has no samples,
 * or another error.
 */
int annotate_code(sqlite3 *db, const char *function, int top, FILE *out, struct md_err *err);

#endif
