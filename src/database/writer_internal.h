/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations for writer.c, which writes rows, and finish.c, which completes the database. */
#ifndef MEMDB_DATABASE_WRITER_INTERNAL_H
#define MEMDB_DATABASE_WRITER_INTERNAL_H

#include "database/bulk.h"
#include "database/cells.h"
#include "database/dictionary.h"
#include "database/newfile.h"
#include "database/queue.h"
#include "database/sql.h"
#include "database/writer.h"
#include "database/writer_rows.h"

/* While the queue's thread works on a batch, only this thread uses the members after `failed`;
 * but `err` may be read once `failed` is set. */
struct writer {
	struct queue queue;
	atomic_int failed; /* the code in `err`, which does not change any more if this is set */
	sqlite3 *db;
	struct newfile file;
	struct md_err err; /* the first failure */
	struct bulk bulk;
	struct dictionary instructions, kinds;
	struct cells sample_cells, fault_cells, allocation_cells, operation_cells;
	struct block_cells block_cells;
	writer_progress_fn *progress;
	void *progress_arg;
	/* home nodes were set to unknown, so sample_cells and fault_cells must be computed again */
	bool recount;
	bool check_everything;
	const char *step; /* name of the current step of writer_finish() */
};

/* If rc (an SQLite code) is a failure, and the first one, stores it as the writer's error, with a
 * sentence. Returns the code of the writer's error, which may be an earlier one; 0 means none.
 * writer_exec() and writer_exec_files() return this code, too. */
int writer_fail(struct writer *w, int rc);

int writer_exec(struct writer *w, const char *sql);

/* Executes the statements of all files, in their order. */
int writer_exec_files(struct writer *w, const struct sql_file *files);

void writer_put_row(struct writer *w, enum table_id id, const void *row);

/* Writes all cells counted so far as rows, and releases their memory. */
void writer_put_all_cells(struct writer *w);

/* Inserts the rows that are still collected in memory. Must be called before a table is read. */
void writer_flush(struct writer *w);

/* Removes the temporary file unless it was published, and frees w. */
void writer_release(struct writer *w);

#endif
