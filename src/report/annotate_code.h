/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints instructions with their memory costs. */
#ifndef MEMDB_REPORT_ANNOTATE_CODE_H
#define MEMDB_REPORT_ANNOTATE_CODE_H

#include <sqlite3.h>
#include <stdio.h>

#include "base/err.h"

/*
 * Prints the machine code around the sampled instructions of a function or of `file`, with their
 * source lines. If `file` is not NULL, `line` selects the instructions of one line; 0 means all. If
 * `function` is NULL, prints the functions that cost most, at most `top` of them. Marks the
 * instructions whose memory access a thread waited for. Reports on stderr which program files are
 * missing or are not the ones that ran. Returns 0, MD_EUSAGE if no instruction has samples there,
 * or another error.
 */
int annotate_code(sqlite3 *db, const char *function, const char *file, int line, int top, FILE *out,
		  struct md_err *err);

#endif
