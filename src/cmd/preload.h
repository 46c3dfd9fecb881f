/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the user's preloaded libraries out of memdb, perf and the processes that memdb starts. They
 * are meant only for the recorded program. Elsewhere they could do harm: an allocator, for example,
 * may block for ever in a child process.
 */
#ifndef MEMDB_CMD_PRELOAD_H
#define MEMDB_CMD_PRELOAD_H

/*
 * If LD_PRELOAD is set, executes memdb again with that variable renamed, so that no library is
 * preloaded. Does nothing if LD_PRELOAD names only the tracker, because then memdb itself is
 * recorded. job_init() restores the name for the recorded program. main() calls this first. Returns
 * only if there is nothing to do or if memdb could not be executed again.
 */
void preload_leave(char **argv);

#endif
