/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Libraries that the user preloads are for the program to record: in memdb, perf and the processes
 * that memdb starts they could do anything (an allocator may wait for ever in a child process).
 */
#ifndef MEMDB_CMD_PRELOAD_H
#define MEMDB_CMD_PRELOAD_H

/*
 * Where LD_PRELOAD is set, executes memdb again with that variable under another name
 * (job_init() gives it its own name back for the program). To be called first; returns where there
 * is nothing to do, or it cannot be done. A recording of memdb itself keeps its tracker.
 */
void preload_leave(char **argv);

#endif
