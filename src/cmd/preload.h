/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user's preloaded libraries are meant for the recorded program. In memdb, perf and the
 * processes that memdb starts they could do harm: an allocator may block for ever in a child
 * process.
 */
#ifndef MEMDB_CMD_PRELOAD_H
#define MEMDB_CMD_PRELOAD_H

/*
 * If LD_PRELOAD is set, executes memdb again with that variable renamed (job_init() restores its
 * name for the program). Call it first. Returns if there is nothing to do or it failed. A recording
 * of memdb itself keeps its tracker.
 */
void preload_leave(char **argv);

#endif
