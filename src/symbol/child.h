/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts a child process with limits, for foreign code that reads untrusted bytes. The child is a
 * fork without exec, so the library needs no helper program. Start it while no other thread runs,
 * because another thread might hold a lock at the fork. The parent's signal handlers do not change:
 * writing to a dead child is an error and raises no SIGPIPE. If other code waits for any child of
 * this process, that code gets the status, and child_end() returns -1.
 */
#ifndef MEMDB_SYMBOL_CHILD_H
#define MEMDB_SYMBOL_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { CHILD_NO_MEMORY = 77 }; /* exit code of a child that ran out of memory */

struct child {
	pid_t pid;        /* 0 means there is none */
	int fd;           /* stream socket to the child */
	unsigned seconds; /* as in struct child_limits */
};

struct child_limits {
	uint64_t memory;  /* bytes of private writable memory beyond what the child starts with;
			   * 0 means no limit */
	unsigned seconds; /* seconds that either side waits for the other while the child uses no
			   * CPU time; 0 means no limit */
	bool network;     /* the child may use the network and write files (a cache), and the
			   * user's ^C ends it */
};

/*
 * Starts a child that calls run(fd, arg) and exits. The child has no open descriptors except fd and
 * /dev/null as 0, 1 and 2. It writes no core, ends with its parent, and cannot gain privileges.
 * Without l->network it cannot write files, start programs or open sockets. Returns 0, or -1 with
 * errno.
 */
int child_start(struct child *c, const struct child_limits *l, void (*run)(int fd, void *arg),
		void *arg);

/*
 * Kills the child if it still runs, waits for it, and sets *c to { 0 }. Returns its status as
 * waitpid() does, or -1 if unknown.
 */
int child_end(struct child *c);

/* Limits the CPU time of the calling child to this many more seconds. */
void child_limit_cpu(unsigned seconds);

/*
 * Waits until the child writes or ends. Returns false with errno EAGAIN if the child sleeps too
 * long, or EINTR if *child_stop is not 0.
 */
bool child_await(const struct child *c);

/* Transfers all n bytes. Returns false if the other side has ended or the wait was too long. */
bool child_read(int fd, void *buf, size_t n);
bool child_write(int fd, const void *buf, size_t n);

/* A signal handler sets *child_stop to non-zero to end all waiting. NULL means nothing ends it. */
extern const volatile int *child_stop;

#endif
