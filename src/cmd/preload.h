/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the user's preloaded libraries out of memdb, perf and the processes that memdb starts. They
 * are meant for the recorded program. Elsewhere they could do harm, for example an allocator that
 * blocks for ever in a child process.
 */
#ifndef MEMDB_CMD_PRELOAD_H
#define MEMDB_CMD_PRELOAD_H

/*
 * If LD_PRELOAD is set, executes memdb again with that variable renamed. job_init() restores its
 * name for the program. Call it first. Returns if there is nothing to do or if it failed. Keeps the
 * tracker if memdb itself is recorded.
 */
void preload_leave(char **argv);

#endif
