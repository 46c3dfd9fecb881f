/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles calls with which a program forbids itself system calls (seccomp, syscall user dispatch)
 * or the time-stamp counter (PR_SET_TSC). Before the call, the tracker gets the memory and disk
 * space that it will need. After a successful call that forbids system calls, the tracker makes
 * none either: the process is then called sealed. After a call that forbids the counter, the
 * tracker no longer reads it in the calling thread: the thread is then called blind
 * (thread_set_blind()). */
#ifndef MEMDB_PRELOAD_SEAL_H
#define MEMDB_PRELOAD_SEAL_H

#include <stdbool.h>

/* What a system call such as prctl() or seccomp() forbids or permits. */
struct seal {
	bool calls; /* whether the call forbids system calls */
	/* whether the call forbids or permits reading the counter; may_read is true if it permits
	 * that */
	bool counter;
	bool may_read;
	/* whether the call returns a descriptor, so that every result that is not negative means
	 * success */
	bool gives_fd;
	/* whether the caller is a vfork child, which runs in the memory of its parent */
	bool of_child;
};

/* true while a vfork child of this thread is sealed: the child has forbidden itself system calls,
 * and the hooks have not yet seen it execute another program or end. */
extern __thread bool seal_of_child __attribute__((visibility("hidden")))
__attribute__((tls_model("initial-exec")));

/* Must be called before prctl (nr is SYS_prctl) or seccomp (SYS_seccomp), with the first two
 * arguments of that call. Returns what the call would forbid, for seal_after(). */
struct seal seal_before(long nr, unsigned long a, unsigned long b);

/* Must be called after that call of prctl or seccomp. s is the result of seal_before(), ret the
 * result of the call. */
void seal_after(const struct seal *s, long ret);

#endif
