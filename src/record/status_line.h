/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line of text in the last row of the terminal, while another program writes to the same
 * terminal.
 *
 * The program's text must not mix with the line. So the rows above the last one become the
 * terminal's scroll region (DECSTBM of the VT100, which all terminals of today have): what the
 * program prints scrolls there, and does not reach the last row. Each change of the line is a
 * single write, which the kernel does not interrupt by another program's output, and leaves the
 * cursor and the colours as they were.
 */
#ifndef MEMDB_RECORD_STATUS_LINE_H
#define MEMDB_RECORD_STATUS_LINE_H

#include <stdbool.h>

/* All zero at the start. */
struct status_line {
	int rows; /* height of the terminal whose scroll region is set; 0 means that none is set */
};

/*
 * Can standard error show a line? Not if it is not a terminal, if $TERM is unset or "dumb", or if
 * the terminal does not know its size.
 */
bool status_line_works(void);

/*
 * Shows `text`, cut to the width of the terminal. Does nothing while a program reads single keys
 * from the terminal, as an editor does, or while another job is in the foreground: then the last
 * row belongs to somebody else.
 */
void status_line_show(struct status_line *s, const char *text);

/* Removes the line, and makes the scroll region the whole terminal again. */
void status_line_end(struct status_line *s);

#endif
