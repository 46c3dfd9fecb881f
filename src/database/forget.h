/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes back the homes of rows that are stored already. A row's home is part of its kind, so the
 * row gets another kind.
 */
#ifndef MEMDB_DATABASE_FORGET_H
#define MEMDB_DATABASE_FORGET_H

#include <sqlite3.h>
#include <stdbool.h>

#include "database/dictionary.h"
#include "database/writer.h"

struct forget {
	const struct moved *at; /* in the order of process and start */
	uint32_t n;
	uint64_t until;
	uint32_t (*process_of)(const void *arg, uint32_t thread);
	const void *arg;
	const struct dictionary *kinds;
	uint32_t (*kind_id)(struct writer *w, const struct access_kind *key);
	struct writer *writer;
};

/* In a table of samples or of page faults. *changed is set where any row was. SQLite's code. */
int forget_homes(const struct forget *f, sqlite3 *db, const char *table, bool *changed);

#endif
