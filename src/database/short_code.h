/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shortens the names of C++ functions, so that they fit into a line. */
#ifndef MEMDB_DATABASE_SHORT_CODE_H
#define MEMDB_DATABASE_SHORT_CODE_H

#include <sqlite3.h>

/*
 * Copies the name without result type and lists of function arguments, and with "<…>" in place of
 * template arguments of more than 12 bytes (with their brackets): "int* sort<int*, std::less<int>
 * >(int*, int*)" becomes "sort<…>". Other names stay unchanged. The caller frees the copy. NULL
 * means out of memory.
 */
char *short_code(const char *name);

/* Copies the name as short_code() does, but a parallel region has the name of the function around
 * it: "solve._omp_fn.0" becomes "solve". The result is unambiguous only together with a line. */
char *source_code(const char *name);

/* Copies the name as source_code() does, but also without namespaces, classes and template
 * arguments: "int* ns::sort<int>(int*)" becomes "sort". The result is unambiguous only
 * together with a file and line. A name that begins with "[", or that contains neither "::" nor
 * "<", is copied as short_code() does. */
char *base_code(const char *name);

/* Registers the SQL functions short_code(name), source_code(name) and base_code(name) on this
 * connection. Returns an SQLite code. */
int short_code_register(sqlite3 *db);

#endif
