/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that shows on the terminal, once a second, how far a recording is: its time, samples,
 * and bytes on disk. The program may write to the same terminal: the line is left with the cursor
 * at its begin, so that the next output overwrites it, and there is none while a program has the
 * terminal for itself (an editor).
 */
#ifndef MEMDB_RECORD_TICKER_H
#define MEMDB_RECORD_TICKER_H

struct ticker;

/* dir_fd: the capture directory, borrowed until ticker_stop(). NULL where standard error is no
 * terminal, or the thread cannot be started: nothing is shown then. */
struct ticker *ticker_start(int dir_fd);

/* Clears the line. t may be NULL. */
void ticker_stop(struct ticker *t);

#endif
