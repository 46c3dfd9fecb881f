/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows once a second on the terminal how far a recording is: its time, samples, and bytes on disk.
 * A thread does this. The program may write to the same terminal. So the cursor stays at the begin
 * of the line, and the next output overwrites it. Nothing is shown while a program has the terminal
 * for itself, such as an editor.
 */
#ifndef MEMDB_RECORD_TICKER_H
#define MEMDB_RECORD_TICKER_H

struct ticker;

/*
 * Starts the thread. dir_fd is the capture directory, borrowed until ticker_stop(). Returns NULL,
 * and shows nothing, if stderr is not a terminal or the thread cannot be started.
 */
struct ticker *ticker_start(int dir_fd);

/* Clears the line. t may be NULL. */
void ticker_stop(struct ticker *t);

#endif
