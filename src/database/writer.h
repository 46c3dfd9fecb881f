/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the rows of a new database. Samples and page faults must arrive in the order of their
 * ids, all other rows in any order. Sums and indexes come last. The database has a temporary name
 * until it is complete.
 *
 * The functions that put a row copy it and return; a thread of the writer writes it. They never
 * return an error: the first failure is stored, later rows are dropped, and writer_error() and
 * writer_finish() report it. A writer is used by one thread.
 */
#ifndef MEMDB_DATABASE_WRITER_H
#define MEMDB_DATABASE_WRITER_H

#include "base/err.h"
#include "database/rows.h"

struct writer;

/* Creates the database under a temporary name next to `path`, with the schema, the views and the
 * tables of names. writer_finish() renames it to `path`. newfile_check() describes which files may
 * be replaced, with and without `force`. Returns 0, MD_EIO, MD_EUSAGE, MD_EDB or MD_ENOMEM. */
int writer_open(const char *path, bool force, struct writer **out, struct md_err *err);

void writer_put_run(struct writer *w, const struct row_run *r);
void writer_put_node(struct writer *w, const struct row_node *r);
void writer_put_pmu(struct writer *w, const struct row_pmu *r);
void writer_put_node_distance(struct writer *w, const struct row_node_distance *r);
void writer_put_cpu(struct writer *w, const struct row_cpu *r);
void writer_put_process(struct writer *w, const struct row_process *r);
void writer_put_thread(struct writer *w, const struct row_thread *r);
void writer_put_thread_affinity(struct writer *w, const struct row_thread_affinity *r);
void writer_put_comm(struct writer *w, const struct row_comm *r);
void writer_put_selected_event(struct writer *w, const struct row_selected_event *r);
void writer_put_dso(struct writer *w, const struct row_dso *r);
void writer_put_mapping(struct writer *w, const struct row_mapping *r);
void writer_put_symbol(struct writer *w, const struct row_symbol *r);
void writer_put_file(struct writer *w, const struct row_file *r);
void writer_put_source_line(struct writer *w, const struct row_source_line *r);
void writer_put_location(struct writer *w, const struct row_location *r);
void writer_put_inlined_frame(struct writer *w, const struct row_inlined_frame *r);
void writer_put_call_path(struct writer *w, const struct row_call_path *r);
void writer_put_type(struct writer *w, const struct row_type *r);
void writer_put_member(struct writer *w, const struct row_member *r);
void writer_put_object(struct writer *w, const struct row_object *r);
void writer_put_allocation(struct writer *w, const struct row_allocation *r);
/* Counts a block in the table `block_cells`; it gets no row of its own. */
void writer_count_block(struct writer *w, const struct row_block *b);
void writer_put_sample(struct writer *w, const struct row_sample *r);
/* Counts a sampled operation without memory access as executed instructions; it gets no row. Only
 * the code, the thread and the period of *r are used. */
void writer_count_operation(struct writer *w, const struct row_sample *r);
void writer_put_page_fault(struct writer *w, const struct row_sample *r);
void writer_put_other_wait(struct writer *w, const struct row_other_wait *r);
void writer_put_page_home(struct writer *w, const struct row_page_home *r);
void writer_put_policy_call(struct writer *w, const struct row_policy_call *r);
void writer_put_tracepoint(struct writer *w, const struct row_tracepoint *r);
void writer_put_loss(struct writer *w, const struct row_loss *r);

/* Says that all samples, page faults, operations and blocks have been put, so that their sums can
 * be written while other rows are put. */
void writer_end_counts(struct writer *w);

/* A range of pages that moved to another node. The time of the move is not known: it was after
 * `since`, when the pages were last seen on their former node. */
struct moved {
	uint32_t process;
	uint64_t start, end; /* the end is exclusive */
	uint64_t since;
};

/* Sets the home node of stored samples and page faults to NULL where it is not known whether the
 * page had moved. This affects a row if its page is in one of the ranges at[0..n), its time is at
 * least the range's `since` and below `until`, and its home node comes from an earlier look (a
 * query of the page's node) or from a page fault. The ranges must be sorted by process and start.
 * process_of() returns the process of a thread. */
void writer_forget_homes(struct writer *w, const struct moved *at, uint32_t n, uint64_t until,
			 uint32_t (*process_of)(const void *arg, uint32_t thread), const void *arg);

/* Returns the code of the first failure so far, with its sentence in *err; 0 means that there was
 * none. */
int writer_error(const struct writer *w, struct md_err *err);

/* Returns the time that the functions above have waited so far, because rows are put faster than
 * they are written, ns. Without the time for which writer_forget_homes() waits until the rows put
 * before are written. */
uint64_t writer_waited_ns(const struct writer *w);

/* Called by the long steps of writer_finish() from time to time; `step` is the name of the step. If
 * it returns non-zero, writer_finish() fails with MD_EINTR. */
typedef int writer_progress_fn(void *arg, const char *step);

/* Makes writer_finish() also run SQLite's integrity check over the entire file. */
void writer_check_everything(struct writer *w);

/* Lets SQLite insert the rows of samples and page faults, too, whose pages are otherwise written
 * without SQLite (btree.h). Must be called before the first row is put. */
void writer_insert_all(struct writer *w);

/* Computes the sums, creates indexes, runs ANALYZE, checks that the file has the rows that were
 * put, syncs it and renames it to its final name. Always frees w. On failure removes the unfinished
 * file and leaves an older database unchanged. Returns 0, MD_EDB, MD_EINTR, MD_ENOMEM or an error
 * of newfile_publish(). */
int writer_finish(struct writer *w, writer_progress_fn *progress, void *arg, struct md_err *err);

/* Removes the unfinished file and frees w, which may be NULL. */
void writer_abort(struct writer *w);

#endif
