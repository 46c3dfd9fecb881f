/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the rows of heap blocks that ended. A block gets its id at its birth, but its row is
 * complete only at its death, and blocks do not die in the order of their births. Rows in the order
 * of deaths would make SQLite change a different page of the table for each row. So rows are
 * collected, and written in runs sorted by id. */
#include "import/ended.h"

#include <stdlib.h>

#include "import/pipeline.h"

/* maximum number of rows that are collected before they are sorted and written; they need about 24
 * MiB */
enum { RUN = 1 << 18 };

static int by_id(const void *a, const void *b)
{
	uint32_t x = ((const struct row_allocation *)a)->id;
	uint32_t y = ((const struct row_allocation *)b)->id;

	return (x > y) - (x < y);
}

/* Sorts the rows, so that SQLite appends most of them to its last page. */
void ended_flush(struct import *im)
{
	if (im->out.ended.n)
		qsort(im->out.ended.at, im->out.ended.n, sizeof(im->out.ended.at[0]), by_id);
	for (uint32_t i = 0; i < im->out.ended.n; i++)
		writer_put_allocation(im->out.w, &im->out.ended.at[i]);
	im->out.ended.n = 0;
}

void ended_put(struct import *im, const struct row_allocation *row)
{
	used_call_path(im, row->call_path_id);
	used_call_path(im, row->end_call_path_id);
	if (im->out.ended.n == RUN)
		ended_flush(im);
	if (VEC_ROOM(&im->out.ended))
		im->out.ended.at[im->out.ended.n++] = *row;
	else
		/* not enough memory to collect the row, so it is written out of order: slower, but
		 * correct */
		writer_put_allocation(im->out.w, row);
}
