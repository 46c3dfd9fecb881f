/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows on the terminal, once a second, the progress of a recording: its duration, number of
 * samples, and size on disk. A thread does this. The program may write to the same terminal. So the
 * cursor stays at the beginning of the line, and other output overwrites the line. Nothing is shown
 * while a program such as an editor controls the terminal. */
#ifndef MEMDB_RECORD_TICKER_H
#define MEMDB_RECORD_TICKER_H

struct ticker;

/*
 * Starts the thread. dir_fd is the capture directory; it is borrowed until ticker_stop(). Returns
 * NULL if stderr is not a terminal or the thread cannot be started; then nothing is shown.
 */
struct ticker *ticker_start(int dir_fd);

/* Clears the line and frees t, which may be NULL. */
void ticker_stop(struct ticker *t);

#endif
