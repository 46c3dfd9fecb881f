/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles calls with which a program forbids itself system calls (seccomp, syscall user dispatch)
 * or the time-stamp counter (PR_SET_TSC). Before the call, the tracker gets the memory and disk
 * space that it will need. After a successful call that forbids system calls, the tracker makes
 * none either: the process is then called sealed. After a call that forbids the counter, the
 * tracker no longer reads it in the calling thread: the thread is then called blind
 * (thread_set_blind()).
 *
 * A program may also install a filter by its own system call instruction, which no hook sees. So
 * before the tracker makes the first of several system calls of its own, it asks the kernel whether
 * a filter is in force that was not when the image started. This is one call, prctl(), or if the
 * image started under a filter, as in a container, the reading of a file in /proc: a filter that
 * kills for it ends the program. */
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

/* Set after the program has given up new privileges: a filter usually follows. Then the tracker
 * avoids even system calls that only save memory. */
extern bool seal_expected __attribute__((visibility("hidden")));

/* Must be called at the start of the image. A filter that is already in force then does not count
 * as a seal: it is assumed to forbid nothing that the tracker needs, or everything. */
void seal_start(void);

/* Is the process sealed, or the calling thread by a call that no hook saw? Costs a system call, or
 * about fifteen if the image started under a filter; none if the process is known to be sealed. */
bool seal_is_in_force(void);

/* Like seal_is_in_force(). If it is, the process counts as sealed from now on. Not for vfork
 * children, whose parent may not be sealed. */
bool seal_notice(void);

/* Must be called before prctl (nr is SYS_prctl) or seccomp (SYS_seccomp), with the first two
 * arguments of that call. Returns what the call would forbid, for seal_after(). */
struct seal seal_before(long nr, unsigned long a, unsigned long b);

/* Must be called after that call of prctl or seccomp. s is the result of seal_before(), ret the
 * result of the call. */
void seal_after(const struct seal *s, long ret);

#endif
