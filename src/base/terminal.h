/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives a terminal what a file does not get: a pager, colours, tables as wide as the screen. */
#ifndef MEMDB_BASE_TERMINAL_H
#define MEMDB_BASE_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

enum terminal_colours {
	TERMINAL_AUTO, /* on a terminal that has colours, unless NO_COLOR is set and not empty */
	TERMINAL_ALWAYS,
	TERMINAL_NEVER,
};

/* Kinds of marked text. A mark lasts until TERMINAL_PLAIN. */
enum terminal_mark { TERMINAL_PLAIN, TERMINAL_ANSWER, TERMINAL_HEAD, TERMINAL_HINT };

/* Sets the colours of the whole process. Without this call they are TERMINAL_AUTO. */
void terminal_set_colours(enum terminal_colours c);

/*
 * If standard output is a terminal, starts $MEMDB_PAGER, else $PAGER, else less. The pager gets all
 * later standard output, and standard error if that is a terminal too. The process waits for the
 * pager at its end. Does nothing if the variable is "" or "cat", the pager is missing, or the
 * terminal is dumb. less gets LESS=FRX unless LESS is set, so it just prints text that fits the
 * screen.
 */
void terminal_page(void);

/*
 * Returns the columns of the terminal that shows `out`. 0 means no terminal shows it, or its width
 * is unknown.
 */
int terminal_columns(FILE *out);

/* Writes the code that marks the following text, if `out` gets colours. */
void terminal_mark(FILE *out, enum terminal_mark mark);

#endif
