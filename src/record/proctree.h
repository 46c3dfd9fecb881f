/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes that descend from one, as /proc shows them from time to time. A process that was
 * seen once stays known until it ends, also when its parent has gone. One that begins and ends
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
	char *cpus; /* affinity as a list; owned */
};

struct proctree_process {
	uint32_t pid, ppid;
	uint64_t start_ticks;
	uint64_t exe_hash; /* to see an exec */
	struct proctree_thread *threads;
	size_t nthreads;
	unsigned looks; /* for the caller to count in */
};

struct proctree {
	struct proctree_process *v;
	size_t n, cap;
};

/* MD_ENOENT when there is no process root (any more), MD_ENOMEM. */
int proctree_init(struct proctree *t, pid_t root);
void proctree_release(struct proctree *t);

/* Called for what is new or has changed since the last look; thread is NULL for a process, which is
 * called before its threads. */
typedef void (*proctree_fn)(void *arg, const struct proctree_process *p, const char *exe,
			    const struct proctree_thread *thread);

/* Looks at the tree again and forgets processes and threads that have ended. MD_ENOMEM. */
int proctree_look(struct proctree *t, proctree_fn changed, void *arg);

/* Parent and start of a process from /proc/PID/stat; false where there is none. */
bool proctree_stat(pid_t pid, uint32_t *ppid, uint64_t *start_ticks, char *state);

/* The CPUs that a thread may use, as a list; false where there is no such thread. tid 0: the
 * caller. */
bool proctree_affinity(uint32_t tid, char *out, size_t len);

#endif
