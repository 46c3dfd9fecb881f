/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles calls by which a program forbids itself system calls (seccomp) or the time-stamp counter
 * (PR_SET_TSC): prepares the tracker before them, and restricts it after their success.
 */
#ifndef MEMDB_PRELOAD_SEAL_H
#define MEMDB_PRELOAD_SEAL_H

#include <stdbool.h>

/* The request of a call. */
struct seal {
	bool calls;   /* forbids system calls */
	bool counter; /* may_read says whether the counter may be read from now on */
	bool may_read;
	bool gives_fd; /* success is any non-negative result, not only 0 */
	bool of_child; /* the caller is a vfork child, which runs in its parent's memory */
};

/* True if a vfork child of this thread has forbidden itself system calls, and has not yet executed
 * another program or ended, as far as hooks see. */
extern __thread bool seal_of_child __attribute__((visibility("hidden")))
__attribute__((tls_model("initial-exec")));

/* Call before prctl or seccomp (nr is SYS_prctl or SYS_seccomp), with the first two arguments.
 * Returns the request for seal_after(). */
struct seal seal_before(long nr, unsigned long a, unsigned long b);

/* Call after the call; ret is libc's return value. */
void seal_after(const struct seal *s, long ret);

#endif
