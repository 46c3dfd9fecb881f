/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adapts output to a terminal: a pager, colours, and tables as wide as the screen. */
#ifndef MEMDB_BASE_TERMINAL_H
#define MEMDB_BASE_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

enum terminal_colours {
	/* colours on a terminal that has them, unless NO_COLOR is set and not empty */
	TERMINAL_AUTO,
	TERMINAL_ALWAYS,
	TERMINAL_NEVER,
};

/* How text is marked, for example by a colour. A mark applies to all text up to the next mark.
 * TERMINAL_PLAIN means no mark. */
enum terminal_mark { TERMINAL_PLAIN, TERMINAL_ANSWER, TERMINAL_HEAD, TERMINAL_HINT };

/* Sets whether the process uses colours. Without this call, TERMINAL_AUTO applies. */
void terminal_set_colours(enum terminal_colours c);

/*
 * If standard output is a terminal, starts a pager: $MEMDB_PAGER, otherwise $PAGER, otherwise less.
 * From then on the pager gets standard output, and also standard error if standard error is a
 * terminal. At its end the process waits for the pager. Does nothing if the variable is "" or
 * "cat", if the pager is missing, or if the terminal is dumb. less gets LESS=FRX unless LESS is
 * set, so it just prints text that fits the screen.
 */
void terminal_page(void);

/*
 * Returns the width of the terminal that shows `out`. If `out` is not a terminal, or if its width
 * is unknown, returns the value of the environment variable COLUMNS, or 0 if that is not set or not
 * a plausible width.
 */
int terminal_columns(FILE *out);

/*
 * Prints `head` and the sentence s, escaped for a terminal. If terminal_columns() knows the width,
 * the sentence continues on further lines, which are indented: no line is wider, unless a single
 * word is.
 */
void terminal_sentence(const char *head, const char *s, FILE *out);

/* Marks the text that follows, if `out` may have colours. */
void terminal_mark(FILE *out, enum terminal_mark mark);

#endif
