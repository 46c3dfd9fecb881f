/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A child process with limits, for foreign code that reads untrusted bytes. It is a fork without
 * exec: the library then needs no helper program, and its user no hidden command. So start it while
 * no other thread runs (one might hold a lock). The parent's signals are left alone: writing to a
 * dead child is an error and raises no SIGPIPE. If other code waits for any child of this process,
 * it takes the status away, and child_end() cannot give the reason.
 */
#ifndef MEMDB_SYMBOL_CHILD_H
#define MEMDB_SYMBOL_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { CHILD_NO_MEMORY = 77 }; /* exit code of a child that ran out of memory */

struct child {
	pid_t pid;        /* 0: there is none */
	int fd;           /* a stream socket to it */
	unsigned seconds; /* as in struct child_limits */
};

struct child_limits {
	uint64_t memory;  /* bytes of private writable memory beyond what it starts with; 0: no
			   * limit */
	unsigned seconds; /* seconds that either side waits for the other while the child uses no
			   * CPU time; 0: for ever */
	bool network;     /* may use the network and write files (a cache); the user's ^C ends it */
};

/*
 * Starts a child that calls run(fd, arg) and ends. It holds no descriptor but fd (and /dev/null as
 * 0, 1 and 2), writes no core, ends with its parent, and may not gain rights; without l->network it
 * cannot write files, start programs or open sockets. Returns 0, or -1 with errno.
 */
int child_start(struct child *c, const struct child_limits *l, void (*run)(int fd, void *arg),
		void *arg);

/* Kills the child if it still runs, and forgets it. Returns its status as of waitpid(), or -1 if
 * unknown. */
int child_end(struct child *c);

/* In the child: limits CPU time to this many further seconds. */
void child_limit_cpu(unsigned seconds);

/* Waits until the child has written or ended. False with errno EAGAIN if it sleeps too long, or
 * EINTR if *child_stop is not 0. */
bool child_await(const struct child *c);

/* Transfers all n bytes. False if the other side has ended or the time is up. */
bool child_read(int fd, void *buf, size_t n);
bool child_write(int fd, const void *buf, size_t n);

/* Set to non-zero by a signal handler to end all waiting; NULL: none. */
extern const volatile int *child_stop;

#endif
