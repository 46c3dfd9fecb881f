/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last queue before the writer, for samples whose object later samples show.
 *
 * If the address of a wait is lost, the sample is charged to the object that contains nearly all
 * known addresses of the same operand (account_object()). At the beginning of a recording, none or
 * few of these addresses are known. So the row of such a sample waits until enough of them are
 * known, and all later rows wait behind it. When the queue is full, its oldest row is written with
 * what is known then, and from then on no row waits for that operand.
 */
#ifndef MEMDB_IMPORT_LEARNED_H
#define MEMDB_IMPORT_LEARNED_H

#include <stdbool.h>
#include <stdint.h>

struct import;
struct row_sample;

/* The operand that a sample waited for and whose address is lost. */
struct lost_operand {
	uint32_t place; /* place and candidate as in waits/account.h; place 0 means none */
	uint8_t which, bytes;
	uint8_t elements; /* as in struct wait_candidate */
	bool load, store, lock;
	uint32_t object; /* what account_object() returned at the time of the sample */
	/* if the object becomes known, the sample counts in import_waits.uncharged */
	bool uncharged;
};

/* The queue of rows, a ring; { 0 } is an empty one. */
struct learned_rows {
	struct learned *at; /* LEARNED_MOST elements; NULL until the first row waits */
	uint32_t head, n;   /* position of the oldest row; number of rows */
};

/* Writes a row at once, or later if its object may become known or if older rows wait. The place of
 * *lost is 0 for page faults, and for samples whose address is not lost. For others, also does what
 * depends on the object: cached_find(), and import_waits.uncharged. Rows must come in the order in
 * which they are to be written. */
void learned_put(struct import *im, bool is_fault, const struct row_sample *row,
		 const struct lost_operand *lost);

/* Writes all queued rows with what is known now. */
void learned_flush(struct import *im);
void learned_release(struct learned_rows *q);

#endif
