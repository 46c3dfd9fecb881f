/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets home nodes (the nodes on which pages are) of stored rows to unknown.
 *
 * A look (a query of the nodes of pages) may show that a page is no longer on the node where the
 * previous look found it. The time of the move is unknown. So the home node may be wrong in all
 * samples between the two looks, and is set to unknown there. Samples are stored in the order of
 * time, so a binary search over ids finds the first of these rows.
 *
 * A row does not store its home node itself: its kind_id points to a row of `access_kinds`, which
 * contains the home node with other properties. So the row gets the id of a kind that differs only
 * in the home node. The sums that counted the former kind are computed again at the end.
 */
#include "database/forget.h"

#include <stdlib.h>

#include "database/data_source.h"

/* Finds the id of the first row whose time is `since` or later, by binary search. Rows are
 * sorted by time, except for a few that perf reported late. Returns an SQLite code. */
static int first_row(sqlite3 *db, const char *table, int64_t since, int64_t *row)
{
	char *sql = sqlite3_mprintf(
		"SELECT time, (SELECT max(id) FROM \"%w\") FROM \"%w\" WHERE id = ?1", table,
		table);
	sqlite3_stmt *st = NULL;
	int64_t lo = 1, hi = INT64_MAX;
	int rc = sql ? sqlite3_prepare_v2(db, sql, -1, &st, NULL) : SQLITE_NOMEM;

	sqlite3_free(sql);
	while (!rc && lo < hi) {
		int64_t mid = hi == INT64_MAX ? 1 : lo + (hi - lo) / 2;

		sqlite3_bind_int64(st, 1, mid);
		if (sqlite3_step(st) != SQLITE_ROW) {
			hi = lo; /* no rows follow: the search ends here */
		} else {
			hi = hi == INT64_MAX ? sqlite3_column_int64(st, 1) + 1 : hi;
			if (sqlite3_column_int64(st, 0) < since)
				lo = mid + 1;
			else
				hi = mid;
		}
		rc = sqlite3_reset(st);
	}
	sqlite3_finalize(st);
	*row = lo;
	return rc;
}

/* Returns the range of f->at (pages that have moved) that contains the address; NULL means that
 * there is none. */
static const struct moved *part_of(const struct forget *f, uint32_t process, uint64_t address)
{
	uint32_t lo = 0, hi = f->n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		const struct moved *m = &f->at[mid];

		if (m->process < process || (m->process == process && m->end <= address))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < f->n && f->at[lo].process == process && f->at[lo].start <= address ? &f->at[lo]
										       : NULL;
}

/* Does the home node come from a look (a query of the nodes of pages) before the sample, or from a
 * page fault? Only such a node may become unknown. A node is kept if it comes from a physical
 * address or from a look after the sample, or if the machine has only one node with memory. */
static bool is_from_model(const struct access_kind *k)
{
	return k->home_source == HOME_PAGE || k->home_source == HOME_FIRST_TOUCH;
}

/* Sets the home node in the current row of the statement `row` to unknown if forget_homes() affects
 * this row (forget.h). The statement has the columns id, time, thread_id, address, kind_id. Returns
 * an SQLite code. */
static int forget_row(const struct forget *f, sqlite3_stmt *row, sqlite3_stmt *update,
		      bool *changed)
{
	const uint32_t process = f->process_of(f->arg, (uint32_t)sqlite3_column_int64(row, 2));
	const struct moved *m = part_of(f, process, (uint64_t)sqlite3_column_int64(row, 3));
	const uint32_t old = (uint32_t)sqlite3_column_int64(row, 4);
	struct access_kind k = { 0 };

	if (!m || (uint64_t)sqlite3_column_int64(row, 1) < m->since)
		return SQLITE_OK;
	memcpy(&k, dictionary_key(f->kinds, old), ACCESS_KIND_KEY_BYTES);
	if (!is_from_model(&k))
		return SQLITE_OK;
	/* many rows refer to one row of access_kinds, so that row must not change. Instead, the
	 * current row gets the id of a kind that differs only in the home node */
	k.home_node_id = -1;
	k.home_source = HOME_UNKNOWN;
	sqlite3_bind_int64(update, 1, sqlite3_column_int64(row, 0));
	sqlite3_bind_int64(update, 2, f->kind_id(f->writer, &k));
	sqlite3_step(update);
	*changed = true;
	return sqlite3_reset(update);
}

/* Prepares a statement; `format` contains one %w for the table's name. Returns an SQLite code. */
static int prepare_statement(sqlite3 *db, const char *format, const char *table, sqlite3_stmt **st)
{
	char *sql = sqlite3_mprintf(format, table);
	int rc = sql ? sqlite3_prepare_v2(db, sql, -1, st, NULL) : SQLITE_NOMEM;

	sqlite3_free(sql);
	return rc;
}

/* Reads the rows with an address from the earliest `since` of all ranges to f->until, and passes
 * them to forget_row(). Changing rows while they are read is safe here: the UPDATE leaves the
 * columns of the WHERE clause as they are, so no row is read twice. */
int forget_homes(const struct forget *f, sqlite3 *db, const char *table, bool *changed)
{
	sqlite3_stmt *rows = NULL, *update = NULL;
	uint64_t since = UINT64_MAX;
	int64_t first;
	int rc;

	for (uint32_t i = 0; i < f->n; i++)
		since = f->at[i].since < since ? f->at[i].since : since;
	rc = first_row(db, table, (int64_t)since, &first);
	if (rc)
		return rc;
	rc = prepare_statement(db,
			       "SELECT id, time, thread_id, address, kind_id FROM \"%w\" WHERE "
			       "id >= ?1 AND time < ?2 AND address IS NOT NULL",
			       table, &rows);
	if (rc)
		goto out;
	rc = prepare_statement(db, "UPDATE \"%w\" SET kind_id = ?2 WHERE id = ?1", table, &update);
	if (rc)
		goto out;
	sqlite3_bind_int64(rows, 1, first);
	sqlite3_bind_int64(rows, 2, (int64_t)f->until);
	while (!rc && sqlite3_step(rows) == SQLITE_ROW)
		rc = forget_row(f, rows, update, changed);
	if (!rc)
		rc = sqlite3_reset(rows);
out:
	sqlite3_finalize(rows);
	sqlite3_finalize(update);
	return rc;
}
