/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps in temporary tables the rows that a report reads several times: SQLite compiles and runs a
 * view or a common table expression again at each place that names it. */
#ifndef MEMDB_DATABASE_KEPT_H
#define MEMDB_DATABASE_KEPT_H

#include <sqlite3.h>

#include "base/err.h"

/*
 * Stores the rows of each view of `names`, a list that ends with NULL, in a temporary table with
 * the view's name. From then on, the name refers to the table, in statements and in later views of
 * `names`. A view that is not in `names` does not see these tables: it reads the views to which it
 * refers. memdb's own definition of the view computes the rows, from the selected samples
 * (select.h). If this definition fails because another build of memdb wrote the database, the
 * database's definition computes them.
 *
 * Returns 0 or MD_EDB. After an error, the caller can only close the connection.
 */
int kept_store(sqlite3 *db, const char *const *names, struct md_err *err);

/* Prepares the last statement of `text`, after running those before it, which create temporary
 * tables. `bind`, which gets `arg`, sets the parameters of each statement that has parameters; NULL
 * means that none has. The caller finalizes *st. Returns 0, or MD_EDB with *st NULL;
 * sqlite3_errmsg() then has the reason. */
int kept_prepare(sqlite3 *db, const char *text, void (*bind)(sqlite3_stmt *st, const void *arg),
		 const void *arg, sqlite3_stmt **st);

#endif
