/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shortens names of C++ code to fit a line. */
#ifndef MEMDB_REPORT_SHORT_CODE_H
#define MEMDB_REPORT_SHORT_CODE_H

#include <sqlite3.h>

/*
 * Copies the name without lists of function arguments, and with "<…>" for lists of template
 * arguments of more than 12 bytes: "sort<int*, std::less<int> >(int*, int*)" becomes "sort<…>".
 * Names that are not C++ stay unchanged. The caller frees the copy. NULL when out of memory.
 */
char *short_code(const char *name);

/* Registers the SQL function short_code(name) on this connection. Returns SQLite's code. */
int short_code_register(sqlite3 *db);

#endif
