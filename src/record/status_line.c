/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/status_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* Escape sequences of the VT100. Setting the scroll region moves the cursor, and so does writing to
 * the last row: the cursor is saved before and restored after. */
#define SAVE    "\0337"
#define RESTORE "\0338"
/* If the cursor is in the last row: scrolls by one row, so that it is above that row. */
#define LEAVE_LAST_ROW "\033D\033[A"

/* Gets the size of the terminal. Returns false if it is unknown or too small for a line. */
static bool get_size(struct winsize *w)
{
	return !ioctl(STDERR_FILENO, TIOCGWINSZ, w) && w->ws_row >= 4 && w->ws_col >= 20;
}

bool status_line_works(void)
{
	const char *term = getenv("TERM");
	struct winsize w;

	return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0 && get_size(&w);
}

/* Does another program use the last row, or does memdb run in the background? */
static bool is_taken(void)
{
	struct termios t;

	return tcgetattr(STDERR_FILENO, &t) || !(t.c_lflag & ICANON) ||
	       tcgetpgrp(STDERR_FILENO) != getpgrp();
}

/* A terminal that no longer exists needs no line, so errors are ignored. */
static bool send(const char *sequence)
{
	return write(STDERR_FILENO, sequence, strlen(sequence)) > 0;
}

void status_line_show(struct status_line *s, const char *text)
{
	char sequence[400], region[60] = "";
	struct winsize w;

	if (is_taken()) {
		s->rows = 0; /* an editor sets regions of its own: set it again afterwards */
		return;
	}
	if (!get_size(&w))
		return;
	if (w.ws_row != s->rows)
		snprintf(region, sizeof(region), LEAVE_LAST_ROW SAVE "\033[1;%dr" RESTORE,
			 w.ws_row - 1);
	/* a text as wide as the terminal would leave the cursor in a state that not all terminals
	 * restore */
	snprintf(sequence, sizeof(sequence), "%s" SAVE "\033[%d;1H\033[0m%.*s\033[K" RESTORE,
		 region, w.ws_row, w.ws_col - 1 < 200 ? w.ws_col - 1 : 200, text);
	if (send(sequence))
		s->rows = w.ws_row;
}

void status_line_end(struct status_line *s)
{
	char sequence[60];

	if (!s->rows)
		return;
	snprintf(sequence, sizeof(sequence), SAVE "\033[r\033[%d;1H\033[2K" RESTORE, s->rows);
	send(sequence);
	s->rows = 0;
}
