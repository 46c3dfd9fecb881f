/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls by which a program forbids itself system calls (seccomp) or the time-stamp counter
 * (PR_SET_TSC): what the tracker prepares before them, and what it avoids after they succeeded.
 */
#ifndef MEMDB_PRELOAD_SEAL_H
#define MEMDB_PRELOAD_SEAL_H

#include <stdbool.h>

/* What a call requests. */
struct seal {
	bool calls;   /* forbids system calls */
	bool counter; /* may_read tells whether the counter may be read from now on */
	bool may_read;
	bool gives_fd; /* success is any non-negative result, otherwise only 0 */
	bool of_child; /* called in a vfork child, which runs in its parent's memory */
};

/* A vfork child of this thread has forbidden itself system calls, and has not yet been seen to
 * execute another program or end. */
extern __thread bool seal_of_child __attribute__((visibility("hidden")))
__attribute__((tls_model("initial-exec")));

/* Call before prctl or seccomp (nr is SYS_prctl or SYS_seccomp), with the first two arguments. */
struct seal seal_before(long nr, unsigned long a, unsigned long b);

/* Call after it; ret is libc's return value. */
void seal_after(const struct seal *s, long ret);

#endif
