/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows the descendants of a process by looking at /proc at intervals. A process that was seen
 * once is followed until it ends, even if its parent ends first. A process that starts and ends
 * between two looks is never seen.
 */
#ifndef MEMDB_RECORD_PROCTREE_H
#define MEMDB_RECORD_PROCTREE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

struct proctree_thread {
	uint32_t tid;
	char comm[16];
	char *cpus; /* affinity in list format; owned */
};

struct proctree_process {
	uint32_t pid, ppid;
	uint64_t start_ticks;
	uint64_t exe_hash; /* changes when the process executes another program */
	struct proctree_thread *threads;
	size_t nthreads;
	/* number of times that the caller has looked at the process; not used by proctree.c */
	unsigned looks;
};

struct proctree {
	struct proctree_process *v;
	size_t n, cap;
};

/* Begins a tree at process root. Returns 0, MD_ENOMEM, or MD_ENOENT if there is no such process. */
int proctree_init(struct proctree *t, pid_t root);
void proctree_release(struct proctree *t);

/*
 * Called for each process and thread that is new or has changed since the last look. `thread` is
 * NULL for a process, `exe` is NULL for a thread. A process is reported before its threads.
 */
typedef void (*proctree_fn)(void *arg, const struct proctree_process *p, const char *exe,
			    const struct proctree_thread *thread);

/* Looks at the tree again. Drops processes and threads that have ended. Returns 0 or MD_ENOMEM. */
int proctree_look(struct proctree *t, proctree_fn changed, void *arg);

/*
 * Gets parent, start time and state of a process from /proc/PID/stat. Returns false if there is no
 * such process.
 */
bool proctree_stat(pid_t pid, uint32_t *ppid, uint64_t *start_ticks, char *state);

/* Gets the CPUs that a thread may use, in list format. tid 0 stands for the calling thread.
 * Returns false if there is no such thread. */
bool proctree_affinity(uint32_t tid, char *out, size_t len);

#endif
