/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts a child process in which foreign code (libdw, libdebuginfod) reads untrusted bytes, and
 * limits what the child can use. The child is a fork without exec, so memdb needs no helper
 * program. No other thread may hold a lock at the fork, because the lock would stay taken in the
 * child: the thread that writes the database sees to this itself (pthread_atfork()). The signal
 * handlers of the parent stay as they are: writing to a child that has ended is an error and raises
 * no SIGPIPE. If other code of this process waits for arbitrary children, that code may get the
 * child's status instead, and child_end() returns -1.
 */
#ifndef MEMDB_SYMBOL_CHILD_H
#define MEMDB_SYMBOL_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { CHILD_NO_MEMORY = 77 }; /* exit code of a child that ran out of memory */

struct child {
	pid_t pid;        /* 0 means that there is no child */
	int fd;           /* stream socket whose other end is the child's */
	unsigned seconds; /* struct child_limits.seconds */
};

struct child_limits {
	/* bytes of private writable memory, beyond what the child has at its start; 0 means no
	 * limit */
	uint64_t memory;
	/* how long the parent waits: for an answer while the child uses no CPU time
	 * (child_await()), and for the rest of a message or room in the socket (child_read(),
	 * child_write()); 0 means no limit */
	unsigned seconds;
	/* the child may use the network and write files (a cache), and Ctrl-C ends it */
	bool network;
};

/*
 * Starts a child that calls run(fd, arg) and exits. The child has no open descriptors except fd and
 * /dev/null as 0, 1 and 2. It writes no core dump, ends when its parent ends, and cannot gain
 * privileges. Without l->network it cannot write to files and, where confine_calls() works, it
 * cannot start programs or open sockets. Returns 0, or -1 with errno.
 */
int child_start(struct child *c, const struct child_limits *l, void (*run)(int fd, void *arg),
		void *arg);

/*
 * Kills the child if it still runs, waits for its end, and sets *c to { 0 }. Returns the child's
 * status as waitpid() reports it; -1 means unknown.
 */
int child_end(struct child *c);

/* Limits the CPU time of the calling process, which is a child: it may use this many more
 * seconds. */
void child_limit_cpu(unsigned seconds);

/*
 * Waits until the child writes or ends. Returns false with errno EAGAIN if the child uses no CPU
 * time for c->seconds, or EINTR if *child_stop is not 0.
 */
bool child_await(const struct child *c);

/* Read or write all n bytes. Return false if the other side has ended or does not answer in
 * time. */
bool child_read(int fd, void *buf, size_t n);
bool child_write(int fd, const void *buf, size_t n);

/* Points to a flag that a signal handler sets to stop all waiting for children; NULL means that no
 * signal stops it. */
extern const volatile int *child_stop;

#endif
