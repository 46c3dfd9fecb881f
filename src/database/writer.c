/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inserts the rows of an import. Each kind of row has a function here. Values that repeat go into
 * dictionaries (dictionary.c), sums of samples into cells (cells.c), and rows into batches
 * (bulk.c).
 *
 * Everything is written without a journal to a temporary file, in few transactions (btree.c). After
 * a failure the file is removed. Sums, indexes and statistics are computed at the end, because
 * updating them for each row would be slower.
 *
 * The functions that put a row only pass it to the queue (queue.c). A thread takes the rows from
 * there and does the rest.
 *
 * The writer keeps its first error. After an error every row is dropped, and writer_error() or
 * writer_finish() reports it. So the import need not check the result of each call.
 */
#include "database/writer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "database/constants.h"
#include "database/forget.h"
#include "database/sql.h"
#include "database/version.h"
#include "database/writer_internal.h"

/* Returns the errno of the last failed access to the database's file, or EIO. Asks SQLite's file
 * object first: sqlite3_system_errno() does not have the errno after a failed COMMIT. */
static int file_errno(const struct writer *w)
{
	sqlite3 *db = w->db;
	int sys = bulk_errno(&w->bulk);

	if (sys)
		return sys;
	if (!sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &sys) && sys)
		return sys;
	sys = sqlite3_system_errno(db);
	return sys ? sys : EIO;
}

/* The sentence quotes the final name of the database, because the user does not know the temporary
 * name. */
static int set_error(struct writer *w, int rc)
{
	switch (rc & 0xff) {
	case SQLITE_NOMEM:
		return md_nomem(&w->err);
	case SQLITE_INTERRUPT:
		return md_fail(&w->err, MD_EINTR, "interrupted");
	case SQLITE_FULL: /* SQLite does not keep the errno of a full disk */
		errno = ENOSPC;
		return md_fail_errno(&w->err, MD_EIO, "cannot write '%s'", w->file.path);
	case SQLITE_IOERR:
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
	case SQLITE_READONLY:
		errno = file_errno(w);
		return md_fail_errno(&w->err, MD_EIO, "cannot write '%s'", w->file.path);
	default:
		/* codes that btree.c returns by itself have no message in w->db */
		return md_fail(&w->err, MD_EDB, "cannot write '%s': %s", w->file.path,
			       (sqlite3_errcode(w->db) & 0xff) == (rc & 0xff)
				       ? sqlite3_errmsg(w->db)
				       : sqlite3_errstr(rc));
	}
}

int writer_fail(struct writer *w, int rc)
{
	if (rc && !w->err.code)
		atomic_store(&w->failed, set_error(w, rc));
	return w->err.code;
}

int writer_exec(struct writer *w, const char *sql)
{
	if (w->err.code)
		return w->err.code;
	return writer_fail(w, sqlite3_exec(w->db, sql, NULL, NULL, NULL));
}

int writer_exec_files(struct writer *w, const struct sql_file *files)
{
	for (; files->name && !w->err.code; files++)
		writer_exec(w, files->text);
	return w->err.code;
}

/* The order of the first four calls matters. The thread uses everything else. SQLite does not close
 * a connection that has open statements, so bulk_release() finalizes them first. newfile_release()
 * removes a file that was not finished, so the connection to that file is closed before. */
void writer_release(struct writer *w)
{
	queue_end(&w->queue, true);
	bulk_release(&w->bulk);
	sqlite3_close(w->db);
	newfile_release(&w->file);
	dictionary_release(&w->instructions);
	dictionary_release(&w->kinds);
	cells_release(&w->sample_cells);
	cells_release(&w->fault_cells);
	cells_release(&w->allocation_cells);
	cells_release(&w->operation_cells);
	block_cells_release(&w->block_cells);
	free(w);
}

/*
 * Stores the views as CREATE VIEW stores them, but saves the 0.03 s in which CREATE VIEW compiles
 * them. The writer itself reads no view. Each file has one statement, which begins with CREATE VIEW
 * and ends with the last semicolon.
 */
static int put_views(struct writer *w)
{
	static const char sql[] = "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) "
				  "VALUES ('view', ?1, ?1, 0, ?2)";
	sqlite3_stmt *st = NULL;

	writer_exec(w, "PRAGMA writable_schema=ON");
	if (!w->err.code)
		writer_fail(w, sqlite3_prepare_v2(w->db, sql, -1, &st, NULL));
	for (const struct sql_file *f = sql_views; f->name && !w->err.code; f++) {
		const char *create = strstr(f->text, "CREATE VIEW ");
		const char *end = strrchr(create, ';');

		sqlite3_bind_text(st, 1, f->name, -1, SQLITE_STATIC);
		sqlite3_bind_text(st, 2, create, (int)(end - create), SQLITE_STATIC);
		sqlite3_step(st);
		writer_fail(w, sqlite3_reset(st)); /* the error of the step */
	}
	sqlite3_finalize(st);
	return writer_exec(w, "PRAGMA writable_schema=OFF");
}

/* Creates tables and views, and fills the tables of names. No other program opens the file before
 * it is complete, so it needs no journal, no locks, and no sync before the end. */
static int create_schema(struct writer *w)
{
	char *ident = sqlite3_mprintf(
		"PRAGMA page_size=%d; PRAGMA encoding='UTF-8'; PRAGMA journal_mode=off;"
		"PRAGMA auto_vacuum=none; PRAGMA synchronous=off; PRAGMA locking_mode=normal; "
		"PRAGMA cache_size=-8192; "
		"PRAGMA foreign_keys=off;"
		"PRAGMA application_id=%d; PRAGMA user_version=%d",
		BTREE_PAGE_BYTES, DB_APPLICATION_ID, DB_VERSION);

	if (!ident)
		return writer_fail(w, SQLITE_NOMEM);
	writer_exec(w, ident);
	sqlite3_free(ident);
	writer_exec(w, "BEGIN");
	writer_exec_files(w, sql_schema);
	put_views(w);
	if (!w->err.code)
		writer_fail(w, constants_insert(w->db));
	if (!w->err.code)
		writer_fail(w, bulk_init(&w->bulk, w->db, w->file.temp.fd));
	return w->err.code;
}

static queue_fn write_row;

int writer_open(const char *path, bool force, struct writer **out, struct md_err *err)
{
	struct writer *w = calloc(1, sizeof(*w));
	int ret;

	*out = NULL;
	if (!w)
		return md_nomem(err);
	w->queue.write = write_row;
	w->queue.arg = w;
	/* keys are compared as bytes; each ends with its member `has` */
	w->instructions.key_size = INSTRUCTION_KEY_BYTES;
	w->kinds.key_size = ACCESS_KIND_KEY_BYTES;
	w->sample_cells.keys.key_size = sizeof(union cell_key);
	w->fault_cells.keys.key_size = sizeof(union cell_key);
	w->allocation_cells.keys.key_size = sizeof(union cell_key);
	w->operation_cells.keys.key_size = sizeof(union cell_key);
	w->block_cells.keys.key_size = sizeof(union block_key);
	ret = newfile_create(path, force, &w->file, err);
	if (ret)
		goto fail;
	ret = writer_fail(w, sqlite3_open_v2(w->file.temp.path, &w->db,
					     SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
					     "unix-none"));
	if (!ret)
		ret = create_schema(w);
	if (ret) {
		writer_error(w, err);
		goto fail;
	}
	*out = w;
	return 0;
fail:
	writer_abort(w);
	return ret;
}

/* The error stays set, because the writer can no longer produce a complete database. */
int writer_error(const struct writer *w, struct md_err *err)
{
	const int code = atomic_load(&w->failed);

	if (code && err)
		*err = w->err;
	return code;
}

/* Only sets a flag: the check runs in writer_finish(). */
void writer_check_everything(struct writer *w)
{
	w->check_everything = true;
}

/* Must be called while there are no rows: then flushing only makes SQLite insert the rows of all
 * tables from now on. */
void writer_insert_all(struct writer *w)
{
	queue_wait(&w->queue);
	writer_flush(w);
}

uint64_t writer_waited_ns(const struct writer *w)
{
	return w->queue.waited_ns;
}

/* The file has a temporary name until writer_finish(), so an older database stays unchanged. */
void writer_abort(struct writer *w)
{
	if (w)
		writer_release(w);
}

/* Does nothing after an earlier error. */
void writer_put_row(struct writer *w, enum table_id id, const void *row)
{
	if (!w->err.code)
		writer_fail(w, bulk_put(&w->bulk, id, row));
}

#define WRITER_PUT(name, table)                                              \
	void writer_put_##name(struct writer *w, const struct row_##name *r) \
	{                                                                    \
		queue_put(&w->queue, table, r);                              \
	}

WRITER_PUT(run, TABLE_RUNS)
WRITER_PUT(node, TABLE_NODES)
WRITER_PUT(node_distance, TABLE_NODE_DISTANCES)
WRITER_PUT(pmu, TABLE_PMUS)
WRITER_PUT(cpu, TABLE_CPUS)
WRITER_PUT(process, TABLE_PROCESSES)
WRITER_PUT(thread, TABLE_THREADS)
WRITER_PUT(thread_affinity, TABLE_THREAD_AFFINITIES)
WRITER_PUT(comm, TABLE_COMMS)
WRITER_PUT(selected_event, TABLE_SELECTED_EVENTS)
WRITER_PUT(dso, TABLE_DSOS)
WRITER_PUT(mapping, TABLE_MAPPINGS)
WRITER_PUT(symbol, TABLE_SYMBOLS)
WRITER_PUT(file, TABLE_FILES)
WRITER_PUT(source_line, TABLE_SOURCE_LINES)
WRITER_PUT(location, TABLE_LOCATIONS)
WRITER_PUT(inlined_frame, TABLE_INLINED_FRAMES)
WRITER_PUT(call_path, TABLE_CALL_PATHS)
WRITER_PUT(type, TABLE_TYPES)
WRITER_PUT(member, TABLE_MEMBERS)
WRITER_PUT(object, TABLE_OBJECTS)
WRITER_PUT(allocation, TABLE_ALLOCATIONS)
WRITER_PUT(other_wait, TABLE_OTHER_WAITS)
WRITER_PUT(page_home, TABLE_PAGE_HOMES)
WRITER_PUT(policy_call, TABLE_POLICY_CALLS)
WRITER_PUT(tracepoint, TABLE_TRACEPOINTS)
WRITER_PUT(loss, TABLE_LOSSES)

void writer_put_sample(struct writer *w, const struct row_sample *r)
{
	queue_put(&w->queue, QUEUE_SAMPLE, r);
}

void writer_put_page_fault(struct writer *w, const struct row_sample *r)
{
	queue_put(&w->queue, QUEUE_FAULT, r);
}

void writer_count_operation(struct writer *w, const struct row_sample *r)
{
	queue_put(&w->queue, QUEUE_OPERATION, r);
}

void writer_count_block(struct writer *w, const struct row_block *r)
{
	queue_put(&w->queue, QUEUE_BLOCK, r);
}

void writer_end_counts(struct writer *w)
{
	queue_put(&w->queue, QUEUE_CELLS, "");
}

/* Returns the id of the instruction's columns in the dictionary. Writes the row of a new
 * instruction at once, so that the rows are put in the order of their ids (bulk.h). */
static uint32_t instruction_id(struct writer *w, const struct instruction *key)
{
	bool is_new;
	uint32_t id = dictionary_id(&w->instructions, key, &is_new);

	if (!id)
		writer_fail(w, SQLITE_NOMEM);
	else if (is_new)
		writer_put_row(w, TABLE_INSTRUCTIONS, &(struct row_instruction){ *key, id });
	return id;
}

/* Returns the id of a kind of access in the dictionary. Writes the row of a new kind at once. */
static uint32_t kind_id(struct writer *w, const struct access_kind *key)
{
	bool is_new;
	uint32_t id = dictionary_id(&w->kinds, key, &is_new);

	if (!id)
		writer_fail(w, SQLITE_NOMEM);
	else if (is_new)
		writer_put_row(w, TABLE_ACCESS_KINDS, &(struct row_access_kind){ *key, id });
	return id;
}

/* Writes a row for each cell, with the samples that were counted since the cell was last written.
 */
static void put_cells(struct writer *w, struct cells *c, enum table_id id)
{
	struct row_cell row;

	if (!cells_complete(c))
		writer_fail(w, SQLITE_NOMEM);
	for (uint32_t i = 0; i < c->keys.count; i++) {
		cells_row(c, i, &row);
		writer_put_row(w, id, &row);
	}
	cells_clear(c);
}

/* Adds a sample to its cell in *c. If there are too many cells, writes them as rows and starts
 * again with no cells; readers must sum the rows of a cell. */
static void count_sample(struct writer *w, struct cells *c, enum table_id id,
			 const union cell_key *key, const struct sample_data *p)
{
	if (!cells_add(c, key, p))
		writer_fail(w, SQLITE_NOMEM);
	if (c->keys.count >= CELLS_MAX)
		put_cells(w, c, id);
}

/* Returns the key of the cell to which a sample belongs: the columns that most queries group by. */
static union cell_key code_key(const struct sample_data *p)
{
	return (union cell_key){ .code = { p->instruction_id, p->kind_id, p->thread_id,
					   p->object_id } };
}

/* Returns the row as the table stores it: ids of two dictionary entries replace the columns of the
 * instruction and of the kind of access. */
static struct sample_data encode_sample(struct writer *w, const struct row_sample *r)
{
	struct sample_data d = r->data;

	d.instruction_id = instruction_id(w, &r->code);
	d.kind_id = kind_id(w, &r->kind);
	return d;
}

static void write_sample(struct writer *w, const struct row_sample *r)
{
	union cell_key code, block = { 0 };
	struct sample_data d;

	d = encode_sample(w, r);
	code = code_key(&d);
	block.block.allocation_id = d.allocation_id;
	block.block.kind_id = d.kind_id;
	count_sample(w, &w->sample_cells, TABLE_SAMPLE_CELLS, &code, &d);
	/* samples that hit a block are also added to cells by block, so that a query for the cost
	 * of each block need not read all samples */
	if (d.allocation_id)
		count_sample(w, &w->allocation_cells, TABLE_ALLOCATION_CELLS, &block, &d);
	writer_put_row(w, TABLE_SAMPLE_DATA, &d);
}

/* An operation that accesses no memory is only counted, in operation_cells; it gets no row of its
 * own. */
static void count_operation(struct writer *w, const struct row_sample *r)
{
	union cell_key key = { .code = { .thread_id = r->data.thread_id } };

	key.code.instruction_id = instruction_id(w, &r->code);
	count_sample(w, &w->operation_cells, TABLE_OPERATION_CELLS, &key, &r->data);
}

/* Page faults have their own cells, because the cells of samples add up time, while faults are
 * counted as events. */
static void write_page_fault(struct writer *w, const struct row_sample *r)
{
	union cell_key code;
	struct sample_data d;

	d = encode_sample(w, r);
	code = code_key(&d);
	count_sample(w, &w->fault_cells, TABLE_FAULT_CELLS, &code, &d);
	writer_put_row(w, TABLE_FAULT_DATA, &d);
}

/* Writes a row for each cell of blocks, and starts again with no cells. */
static void put_block_cells(struct writer *w)
{
	struct row_block_cell row;

	if (!block_cells_complete(&w->block_cells))
		writer_fail(w, SQLITE_NOMEM);
	for (uint32_t i = 0; i < w->block_cells.keys.count; i++) {
		block_cells_row(&w->block_cells, i, &row);
		writer_put_row(w, TABLE_BLOCK_CELLS, &row);
	}
	block_cells_clear(&w->block_cells);
}

/* Every block is counted, even if it has no row in `allocations`. */
static void count_block(struct writer *w, const struct row_block *b)
{
	if (!block_cells_add(&w->block_cells, b))
		writer_fail(w, SQLITE_NOMEM);
	if (w->block_cells.keys.count >= CELLS_MAX)
		put_block_cells(w);
}

static void put_last_cells(struct writer *w, struct cells *c, enum table_id id)
{
	put_cells(w, c, id);
	cells_release(c);
}

void writer_put_all_cells(struct writer *w)
{
	put_last_cells(w, &w->sample_cells, TABLE_SAMPLE_CELLS);
	put_last_cells(w, &w->fault_cells, TABLE_FAULT_CELLS);
	put_last_cells(w, &w->allocation_cells, TABLE_ALLOCATION_CELLS);
	put_last_cells(w, &w->operation_cells, TABLE_OPERATION_CELLS);
	put_block_cells(w);
	block_cells_release(&w->block_cells);
}

static void write_row(void *arg, int what, const void *row)
{
	struct writer *w = arg;

	if (w->err.code)
		return;
	if (!row)
		writer_fail(w, SQLITE_NOMEM);
	else if (what == QUEUE_SAMPLE)
		write_sample(w, row);
	else if (what == QUEUE_FAULT)
		write_page_fault(w, row);
	else if (what == QUEUE_OPERATION)
		count_operation(w, row);
	else if (what == QUEUE_BLOCK)
		count_block(w, row);
	else if (what == QUEUE_CELLS)
		writer_put_all_cells(w);
	else
		writer_put_row(w, (enum table_id)what, row);
}

/* Inserts the rows that are still in arrays (bulk.c). Before that, a statement that reads the
 * tables does not see them. */
void writer_flush(struct writer *w)
{
	if (!w->err.code)
		writer_fail(w, bulk_flush(&w->bulk));
}

/* Flushes first, because UPDATE sees only rows that are in the tables. */
void writer_forget_homes(struct writer *w, const struct moved *at, uint32_t n, uint64_t until,
			 uint32_t (*process_of)(const void *arg, uint32_t thread), const void *arg)
{
	const struct forget f = { at, n, until, process_of, arg, &w->kinds, kind_id, w };

	queue_wait(&w->queue);
	writer_flush(w);
	if (!w->err.code)
		writer_fail(w, forget_homes(&f, w->db, "sample_data", &w->recount));
	if (!w->err.code)
		writer_fail(w, forget_homes(&f, w->db, "fault_data", &w->recount));
}
