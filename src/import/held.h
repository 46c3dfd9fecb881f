/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A queue of rows that lack a fact, which a later event of the same thread provides.
 *
 * Two facts become known too late. The kernel reports a page fault after handling it, so a sample
 * inside the handler comes before the record of its fault, which contains the address. And malloc
 * touches pages of a block before the tracker reports the block's birth, because it writes a header
 * or, in calloc(), zeros. Rows that lack one of these facts are held back until the next fault or
 * birth of their thread.
 *
 * Rows must be written in the order of the recording, so all later rows wait too. The queue is
 * empty most of the time. Its rows and their waiting time are limited; beyond these limits a row is
 * written without the missing fact.
 */
#ifndef MEMDB_IMPORT_HELD_H
#define MEMDB_IMPORT_HELD_H

#include <stdbool.h>
#include <stdint.h>

#include "import/learned.h"

struct import;
struct birth;
struct row_sample;

/* The queue of rows; { 0 } is an empty one. */
struct held_rows {
	struct held *at;
	uint32_t head, n, cap; /* rows at[head..n) are queued */
	struct {
		struct held_thread {
			/*
			 * whether a row of the thread waits for a page fault, or for the birth of a
			 * block
			 */
			bool for_fault, for_block;
		} * at;
		uint32_t n, cap;
	} threads; /* indexed by threads.id */
};

/* The fact that a row lacks, for which the row waits. */
struct held_wait {
	uint32_t process;
	/* the sample was taken in the page-fault handler, and every fault is recorded, so the
	 * record of its fault follows */
	bool for_fault;
	uint64_t user_ip; /* for a sample: user ip of the instruction that faulted */
	/* for a page fault: its address may be in a block whose birth the tracker logs later */
	bool for_block;
	/* for a sample: the operand whose address is lost. Its object may become known later
	 * (learned.h) */
	struct lost_operand lost;
};

/* Writes the row of a sample at once, or later if it lacks a fact (*w) or must wait for older rows.
 */
void held_sample(struct import *im, const struct row_sample *row, const struct held_wait *w);
/* Writes the row of a page fault at once, or later if it lacks a fact (*w) or must wait for older
 * rows. */
void held_fault(struct import *im, const struct row_sample *row, const struct held_wait *w);

/* Completes the page faults that waited for the birth of block b, and the samples that were taken
 * during these faults. The block must be in the model. */
void held_birth(struct import *im, uint32_t process, const struct birth *b);

/* Writes all queued rows, also those of learned.h, even if they still lack a fact. */
void held_flush(struct import *im);
void held_release(struct held_rows *q);

#endif
