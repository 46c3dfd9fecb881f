/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a terminal gets that a file does not: a pager, colours, tables as wide as it is.
 */
#ifndef MEMDB_BASE_TERMINAL_H
#define MEMDB_BASE_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

enum terminal_colours {
	TERMINAL_AUTO, /* on a terminal that has them, unless NO_COLOR is set to something */
	TERMINAL_ALWAYS,
	TERMINAL_NEVER,
};

/* What is marked, until TERMINAL_PLAIN. */
enum terminal_mark { TERMINAL_PLAIN, TERMINAL_ANSWER, TERMINAL_HEAD, TERMINAL_HINT };

/* Decides for the whole process; TERMINAL_AUTO if it is not called. */
void terminal_set_colours(enum terminal_colours c);

/*
 * Where standard output is a terminal, starts $MEMDB_PAGER, else $PAGER, else less, which gets all
 * that is written to it from now on, and to standard error if that is a terminal too. The process
 * waits for it at its end. Nothing happens where the variable is "" or "cat", or the terminal is a
 * dumb one. less gets LESS=FRX unless LESS is set: what fits the screen is just printed.
 */
void terminal_page(void);

/* The columns of the terminal that shows `out`; 0: it is shown by none, or its width is unknown. */
int terminal_columns(FILE *out);

/* Writes what marks the text that follows, where `out` gets colours. */
void terminal_mark(FILE *out, enum terminal_mark mark);

#endif
