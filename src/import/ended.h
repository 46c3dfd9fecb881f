/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the rows of heap blocks that ended, in the order of their ids. */
#ifndef MEMDB_IMPORT_ENDED_H
#define MEMDB_IMPORT_ENDED_H

#include <stdint.h>

struct import;
struct row_allocation;

/* Rows collected for the next sorted run. */
struct ended_rows {
	struct row_allocation *at;
	uint32_t n, cap;
};

/* Adds the row of a block that ended. Usually the row is kept, and written later in a batch sorted
 * by id; if memory is short, it is written at once. row->end_reason must point to a constant. */
void ended_put(struct import *im, const struct row_allocation *row);
/* Sorts the collected rows by id and writes them. Must be called at the end of the import. */
void ended_flush(struct import *im);

#endif
