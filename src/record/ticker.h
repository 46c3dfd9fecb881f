/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows on the terminal, once a second, the progress of a recording: its duration, number of
 * samples and allocations, and size on disk (status_line.h). A thread does this. */
#ifndef MEMDB_RECORD_TICKER_H
#define MEMDB_RECORD_TICKER_H

struct ticker;

/*
 * Starts the thread. dir_fd is the capture directory; it is borrowed until ticker_stop(). Returns
 * NULL if stderr cannot show a line (status_line_works()) or the thread cannot be started; then
 * nothing is shown.
 */
struct ticker *ticker_start(int dir_fd);

/* Removes the line and frees t, which may be NULL. */
void ticker_stop(struct ticker *t);

#endif
