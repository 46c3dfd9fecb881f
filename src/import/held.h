/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows that wait for what their thread does next.
 *
 * Two things are known only afterwards. The kernel reports a page fault when it has handled it, so
 * a sample inside the handler comes before the record of its fault, which has the address. And
 * malloc touches pages of a block before the tracker can report the block's birth: by the header
 * of the memory that is left, by calloc's zeros. Such rows are held back until the next fault or
 * birth of their thread, and all later rows wait behind them, because rows are written in the
 * order of the recording. The queue is empty most of the time. It is bounded in rows and in time;
 * beyond that a row is written with what is known of it.
 */
#ifndef MEMDB_IMPORT_HELD_H
#define MEMDB_IMPORT_HELD_H

#include <stdbool.h>
#include <stdint.h>

struct import;
struct birth;
struct row_sample;

/* { 0 } is empty. */
struct held_rows {
	struct held *at;
	uint32_t head, n, cap; /* [head, n) are in the queue */
	struct {
		struct held_thread {
			bool for_fault, for_block; /* a row of it waits for that */
		} * at;
		uint32_t n, cap;
	} threads; /* by threads.id */
};

/* What a row may have to wait for. */
struct held_wait {
	uint32_t process;
	bool for_fault;   /* sample: it lies inside the handler of a page fault … */
	uint64_t user_ip; /* … of the instruction here */
	bool for_block;   /* fault: the address may lie in a block that is being born */
};

/* Rows to the writer, at once or later. */
void held_sample(struct import *im, const struct row_sample *row, const struct held_wait *w);
void held_fault(struct import *im, const struct row_sample *row, const struct held_wait *w);

/* A block was born, and is in the model: rows of its thread may have waited for it. */
void held_birth(struct import *im, uint32_t process, const struct birth *b);

/* Writes all of them. */
void held_flush(struct import *im);
void held_release(struct held_rows *q);

#endif
