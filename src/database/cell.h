/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the texts of a table's cells are shortened. */
#ifndef MEMDB_DATABASE_CELL_H
#define MEMDB_DATABASE_CELL_H

#include <stdbool.h>

/* Is s a label that memdb itself wrote, such as "[address is gone]" or "49 more objects"? Labels
 * are never cut, because nothing else says what their rows contain. The name of a file in brackets,
 * such as "[libm.so.6]", is one only if it has at most 30 columns: extensions of interpreters have
 * longer ones. */
bool cell_is_label(const char *s);

/* Returns the width that the text needs at least: all of it for numbers, because a part of a number
 * is another number; that of the file and line for a place in the source; 0 for other texts, and
 * if it is more than 30. */
int cell_least(const char *s);

/* The texts of one column: at[0], at[stride], … of `rows` rows; NULL is an SQL NULL. */
struct cell_column {
	const char *const *at;
	int rows, stride;
};

/*
 * Finds where to cut the texts of a column so that different texts still differ when they are
 * shortened to `max` columns. Returns the number of columns to keep at their start
 * (escape_cut_after()), or ESCAPE_MIDDLE if cuts in the middle also keep all texts different. If no
 * cut keeps all of them different, returns the one that keeps most of them different. Considers the
 * first 100 rows.
 */
int cell_head(const struct cell_column *c, int max);

#endif
