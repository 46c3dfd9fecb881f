/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds entries for copies of blocks to the tables of exceptions that gcc writes
 * (.gcc_except_table). A table has an entry for each region of code, between labels .LEHBn and
 * .LEHEn, from which an exception can come. Where loads and stores may throw
 * (-fnon-call-exceptions, Ada, Go), they are in a region. A copy of a block in a region gets the
 * same landing pad.
 */
#ifndef MEMDB_ACCESS_AS_REGION_H
#define MEMDB_ACCESS_AS_REGION_H

#include <stdio.h>

#include "asm_lines.h"

enum { REGION_NONE = -1 };

struct region_copy {
	unsigned copy;
	long region;
};

struct regions {
	long now; /* the number n of the region in which the current line is, or REGION_NONE */
	/* the first ncopies elements are the copies whose table has not been read yet */
	struct region_copy *copy;
	unsigned ncopies, room;
	bool failed; /* memory ran out */
};

void regions_release(struct regions *r);

/* Reads line i of the text, which the caller is about to write to `out`. At the end of a table of
 * exceptions, writes the entries of copies. */
void regions_read(struct regions *r, const struct text *t, int i, FILE *out);

/* Remembers the copy of a block in the current region. The copy is between the labels
 * .Lmemdb_copy<copy> and .Lmemdb_left<copy>. */
void regions_add(struct regions *r, unsigned copy);

#endif
