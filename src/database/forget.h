/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets home nodes (the nodes on which pages are) of stored rows to unknown. The home node is a
 * column of `access_kinds`, to which a row refers by its kind_id, so the row gets a different
 * kind_id. */
#ifndef MEMDB_DATABASE_FORGET_H
#define MEMDB_DATABASE_FORGET_H

#include <sqlite3.h>
#include <stdbool.h>

#include "database/dictionary.h"
#include "database/writer.h"

struct forget {
	const struct moved *at; /* sorted by process and start */
	uint32_t n;
	uint64_t until;
	uint32_t (*process_of)(const void *arg, uint32_t thread);
	const void *arg;
	const struct dictionary *kinds;
	uint32_t (*kind_id)(struct writer *w, const struct access_kind *key);
	struct writer *writer;
};

/* Sets home nodes to unknown in one table, sample_data or fault_data. This affects a row if its
 * page lies in one of the ranges f->at, its time is at least the range's `since` and below
 * f->until, and its home node comes from an earlier query of the page's node or from a page fault.
 * Sets *changed to true if a row changed. Returns an SQLite code. */
int forget_homes(const struct forget *f, sqlite3 *db, const char *table, bool *changed);

#endif
