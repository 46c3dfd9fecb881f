/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes rows to a thread that writes them, so that the import can go on: packing, counting and
 * inserting rows takes a third of the import of a recording with many samples. The thread gets the
 * rows in the order in which they were put, so the database does not depend on whether there is a
 * thread.
 *
 * Rows are collected in batches. Without a thread (the system may refuse one), each row is written
 * when it is put.
 */
#ifndef MEMDB_DATABASE_QUEUE_H
#define MEMDB_DATABASE_QUEUE_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/ring.h"
#include "database/table.h"

/* What is done with a row: it is inserted into the table with this number, or one of these.
 * QUEUE_CELLS writes the sums and has no row. */
enum queue_what {
	QUEUE_SAMPLE = TABLES,
	QUEUE_FAULT,
	QUEUE_OPERATION,
	QUEUE_BLOCK,
	QUEUE_CELLS,
	QUEUE_KINDS
};

enum { QUEUE_BATCHES = 4 };

/* Writes a row. If a row could not be copied, because memory ran out, `row` is NULL. */
typedef void queue_fn(void *arg, int what, const void *row);

struct queue_batch {
	char *rows; /* struct queued, followed by the row */
	size_t used;
	struct arena text; /* strings of the rows */
	bool nomem;        /* whether a string could not be copied */
};

struct queue {
	queue_fn *write;
	void *arg;
	pthread_t thread;
	bool began, has_thread;
	struct ring ring;
	struct queue_batch batches[QUEUE_BATCHES];
	struct queue_batch *filling; /* NULL means that no batch has been begun */
	atomic_bool discards;        /* whether the thread drops rows, because nobody needs them */
	uint64_t waited_ns;          /* time that the caller has waited for the thread */
};

/* Copies the row and its strings, and returns before the row is written. `what` is a table_id or a
 * value of enum queue_what. For QUEUE_CELLS, row is any pointer but NULL. */
void queue_put(struct queue *q, int what, const void *row);

/* Waits until all rows are written. Until the next queue_put(), the thread does nothing. */
void queue_wait(struct queue *q);

/* Writes all rows and ends the thread; later rows are written when they are put. Or, with
 * `discard`, drops the rows. Does nothing if there is no thread. */
void queue_end(struct queue *q, bool discard);

#endif
