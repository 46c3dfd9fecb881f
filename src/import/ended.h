/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of blocks, in order. */
#ifndef MEMDB_IMPORT_ENDED_H
#define MEMDB_IMPORT_ENDED_H

#include <stdint.h>

struct import;
struct row_allocation;

/* Rows that are held back. */
struct ended_rows {
	struct row_allocation *at;
	uint32_t n, cap;
};

/* Rows of blocks that ended: held back, so that they reach the writer in order as far as memory
 * goes. `reason` must be a constant. */
void ended_put(struct import *im, const struct row_allocation *row);
void ended_flush(struct import *im);

#endif
