/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Completes a database after all rows have been inserted. First it computes the sums that views and
 * reports read. Then, because no more rows follow, it creates indexes and statistics. The check
 * comes last: only a file that passes the check gets its final name. */
#include "database/check.h"
#include "database/totals.h"
#include "database/writer_internal.h"

/* SQLite calls this function during long statements. A non-zero result interrupts the statement, so
 * that the user can stop the import. */
static int on_progress(void *arg)
{
	struct writer *w = arg;

	return w->progress(w->progress_arg, w->step);
}

/* Stores the number of rows of each table for SQLite's query planner, which must know which tables
 * are large. sql_indexes contains ANALYZE statements for the tables with an index. For all other
 * tables, ANALYZE would read every row only to count the rows, although memdb knows their
 * number. */
static void write_statistics(struct writer *w)
{
	for (int i = 0; i < TABLES && !w->err.code; i++) {
		const struct bulk_table *t = &w->bulk.tables[i];
		char *sql = sqlite3_mprintf("INSERT INTO sqlite_stat1 VALUES (%Q, NULL, '%llu')",
					    t->source.table->name, (unsigned long long)t->inserted);

		if (!sql)
			writer_fail(w, SQLITE_NOMEM);
		else if (t->inserted)
			writer_exec(w, sql);
		sqlite3_free(sql);
	}
}

/* Fails if the file does not contain all data that were written. */
static void check_database(struct writer *w)
{
	char *damage = NULL;

	writer_fail(w, check_counts(&w->bulk, w->file.temp.path, w->recount, &damage));
	if (!w->err.code && !damage && w->check_everything)
		writer_fail(w, check_everything(w->db, &damage));
	if (damage && !w->err.code)
		md_fail(&w->err, MD_EDB, "cannot write '%s': integrity check: %s", w->file.path,
			damage);
	sqlite3_free(damage);
}

/* Reports the next step to the progress callback, which can interrupt the import. */
static void begin_step(struct writer *w, const char *name)
{
	w->step = name;
	if (w->progress && !w->err.code && w->progress(w->progress_arg, name))
		md_fail(&w->err, MD_EINTR, "interrupted");
}

/* Callbacks of totals_count(): each inserts one row of sums. They never report an error, because
 * the writer stores its first error itself (writer_fail()). */
static int put_kind_total(void *arg, const struct row_kind_total *row)
{
	writer_put_row(arg, TABLE_KIND_TOTALS, row);
	return SQLITE_OK;
}

static int put_total(void *arg, const struct row_total *row)
{
	writer_put_row(arg, TABLE_TOTALS, row);
	return SQLITE_OK;
}

/* Computes the totals: sums by the measures in the table `kind_measures`, which is therefore filled
 * first. */
static void put_totals(struct writer *w)
{
	struct totals_sink sink = { put_kind_total, put_total, w };

	writer_exec_files(w, sql_measures);
	if (!w->err.code)
		writer_fail(w, totals_count(w->db, TOTALS_MAX, &sink));
}

/* The order of the steps matters: sums need all rows, indexes and statistics need the sums, and the
 * check needs everything. */
static void finish_database(struct writer *w)
{
	/* the sums are computed from the tables, so cells and rows that are still in memory must be
	 * written first */
	begin_step(w, "rows held back");
	writer_put_all_cells(w);
	writer_flush(w);
	/* some samples were added to the cells of a home node that was later set to unknown
	 * (forget.c), so the cells are computed again from the stored rows */
	if (w->recount)
		writer_exec_files(w, sql_recount);
	begin_step(w, "sums");
	put_totals(w);
	writer_flush(w);
	writer_exec_files(w, sql_drawn);
	begin_step(w, "indexes");
	writer_exec_files(w, sql_indexes);
	write_statistics(w);
	begin_step(w, "commit");
	writer_exec(w, "COMMIT");
	begin_step(w, "check");
	if (!w->err.code)
		check_database(w);
	bulk_release(&w->bulk);
	/* the rename needs a closed file: SQLite writes its last pages when it closes */
	if (sqlite3_close(w->db) && !w->err.code)
		writer_fail(w, SQLITE_INTERNAL);
	w->db = NULL;
	begin_step(w, "sync");
	if (!w->err.code)
		newfile_publish(&w->file, &w->err);
}

/* After an error, the remaining steps do nothing, so no checks are needed between them. The writer
 * is freed in any case, which also removes an unpublished file. */
int writer_finish(struct writer *w, writer_progress_fn *progress, void *arg, struct md_err *err)
{
	int ret;

	queue_end(&w->queue, false);
	w->progress = progress;
	w->progress_arg = arg;
	if (progress)
		sqlite3_progress_handler(w->db, 100000, on_progress, w);
	finish_database(w);
	ret = w->err.code;
	if (ret && err)
		*err = w->err;
	writer_release(w);
	return ret;
}
