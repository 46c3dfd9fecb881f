/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls by which a program forbids itself system calls (seccomp) or the time-stamp counter
 * (PR_SET_TSC): what is prepared before, and what the tracker does without after they succeeded.
 */
#ifndef MEMDB_PRELOAD_SEAL_H
#define MEMDB_PRELOAD_SEAL_H

#include <stdbool.h>

/* What a call asks for. */
struct seal {
	bool calls;   /* system calls are forbidden */
	bool counter; /* may_read says whether the counter may be read from now on */
	bool may_read;
	bool gives_fd; /* success is any result that is not negative, else 0 only */
	bool of_child; /* a vfork child asks, which runs in its parent's memory */
};

/* A vfork child of this thread has forbidden itself system calls, and has not been seen to go on to
 * another program or to end. */
extern __thread bool seal_of_child __attribute__((visibility("hidden")))
__attribute__((tls_model("initial-exec")));

/* Before the call, SYS_prctl or SYS_seccomp, with its first two arguments. */
struct seal seal_before(long nr, unsigned long a, unsigned long b);

/* After it; ret is what libc returns. */
void seal_after(const struct seal *s, long ret);

#endif
