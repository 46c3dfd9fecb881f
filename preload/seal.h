/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles calls with which a program forbids itself system calls (seccomp, syscall user dispatch)
 * or the time-stamp counter (PR_SET_TSC). Before the call, the tracker gets the memory and disk
 * space that it will need. After the call has succeeded, the tracker also makes no system calls, or
 * does not read the counter. The process, or a thread, is called sealed then.
 */
#ifndef MEMDB_PRELOAD_SEAL_H
#define MEMDB_PRELOAD_SEAL_H

#include <stdbool.h>

/* What a system call such as prctl() or seccomp() would forbid or permit the caller. */
struct seal {
	bool calls; /* the call forbids system calls */
	/* the call changes whether the counter may be read; may_read is the new state */
	bool counter;
	bool may_read;
	/* the call returns a descriptor, so every result that is not negative means success */
	bool gives_fd;
	bool of_child; /* the caller is a vfork child, which runs in the memory of its parent */
};

/* A vfork child of this thread has forbidden itself system calls, and has not executed another
 * program or ended yet, as far as the hooks see. */
extern __thread bool seal_of_child __attribute__((visibility("hidden")))
__attribute__((tls_model("initial-exec")));

/* Must be called before the call of prctl or seccomp, with its first two arguments; nr is SYS_prctl
 * or SYS_seccomp. Returns what the call would forbid, for seal_after(). */
struct seal seal_before(long nr, unsigned long a, unsigned long b);

/* Must be called after that call of prctl or seccomp. s is the result of seal_before(), ret the
 * result of the call. */
void seal_after(const struct seal *s, long ret);

#endif
