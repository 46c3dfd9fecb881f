/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of C++ code that fit a line. */
#ifndef MEMDB_REPORT_SHORT_CODE_H
#define MEMDB_REPORT_SHORT_CODE_H

#include <sqlite3.h>

/*
 * A copy of the name, without lists of function arguments, and with "<…>" for lists of template
 * arguments of more than 12 bytes: "sort<…>" of "sort<int*, std::less<int> >(int*, int*)". What is
 * not C++ stays as it is. The caller frees it; NULL when out of memory.
 */
char *short_code(const char *name);

/* Makes it the SQL function short_code(name) of this connection. Returns SQLite's code. */
int short_code_register(sqlite3 *db);

#endif
