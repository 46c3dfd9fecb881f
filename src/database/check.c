/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks a finished database before it gets its name.
 *
 * The database is written without a journal and with synchronous=off. Then SQLite does not notice
 * every failed write: a full disk may leave a file that opens but lacks rows. So the file itself is
 * read again. bulk.c has counted the inserted rows, and the tables must have the same numbers of
 * rows.
 *
 * What must stay true: the check comes after COMMIT, when all pages have been written, and before
 * the rename.
 */
#include "database/check.h"

#include <string.h>
#include <sys/stat.h>

/* Reads one number: the first column of the first row of a query. Returns an SQLite code. */
static int ask_number(sqlite3 *db, const char *sql, int64_t *number)
{
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(db, sql, -1, &st, NULL);

	if (!rc && (rc = sqlite3_step(st)) == SQLITE_ROW)
		*number = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	return rc == SQLITE_ROW ? SQLITE_OK : rc;
}

/* Counts the rows of a table. Returns an SQLite code. */
static int count_rows(sqlite3 *db, const char *table, int64_t *rows)
{
	char *sql = sqlite3_mprintf("SELECT count(*) FROM \"%w\"", table);
	int rc = sql ? ask_number(db, sql, rows) : SQLITE_NOMEM;

	sqlite3_free(sql);
	return rc;
}

/* May the number of rows in the table differ from the number of inserted rows although nothing
 * failed? */
static bool is_rewritten(enum table_id id, bool recounted)
{
	return id == TABLE_NODE_DISTANCES || /* because a row replaces an older one with the same
					      * key */
	       (recounted && (id == TABLE_SAMPLE_CELLS || id == TABLE_FAULT_CELLS));
}

/* Sets *damage if the file's size does not fit its number of pages. If the disk was full, the file
 * may be shorter than SQLite assumes. */
static int check_size(sqlite3 *db, const char *path, char **damage)
{
	int64_t pages = 0, page_bytes = 0;
	int rc = ask_number(db, "PRAGMA page_count", &pages);
	struct stat st;

	if (!rc)
		rc = ask_number(db, "PRAGMA page_size", &page_bytes);
	if (rc)
		return rc;
	if (stat(path, &st))
		return SQLITE_IOERR;
	if (st.st_size != pages * page_bytes)
		*damage = sqlite3_mprintf("%lld bytes instead of %lld pages of %lld",
					  (long long)st.st_size, (long long)pages,
					  (long long)page_bytes);
	return SQLITE_OK;
}

int check_counts(const struct bulk *b, const char *path, bool recounted, char **damage)
{
	int rc = SQLITE_OK;

	*damage = NULL;
	for (int i = 0; i < TABLES && !rc && !*damage; i++) {
		const struct bulk_table *t = &b->tables[i];
		int64_t rows = 0;

		rc = count_rows(b->db, t->source.table->name, &rows);
		if (!rc && (uint64_t)rows != t->inserted &&
		    !is_rewritten((enum table_id)i, recounted))
			*damage = sqlite3_mprintf("%s has %lld rows instead of %llu",
						  t->source.table->name, (long long)rows,
						  (unsigned long long)t->inserted);
	}
	return rc || *damage ? rc : check_size(b->db, path, damage);
}

int check_everything(sqlite3 *db, char **damage)
{
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(db, "PRAGMA integrity_check(1)", -1, &st, NULL);
	const char *text;

	*damage = NULL;
	if (!rc && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		text = (const char *)sqlite3_column_text(st, 0);
		if (!text || strcmp(text, "ok"))
			*damage = sqlite3_mprintf("%s", text ? text : "no answer");
	}
	sqlite3_finalize(st);
	return rc == SQLITE_ROW ? SQLITE_OK : rc;
}
