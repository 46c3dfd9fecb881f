/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A child process with limits, for code that reads untrusted bytes and is not ours. It is a fork
 * without exec: the library needs no program of its own for it, and the program that uses it no
 * hidden command. So it must be started while no other thread runs (holding, say, a lock).
 *
 * The parent's signals are left alone: writing to a dead child is an error and no SIGPIPE; what
 * waits for any child of this process would take its status away, which only costs the reason in
 * child_end().
 */
#ifndef MEMDB_SYMBOL_CHILD_H
#define MEMDB_SYMBOL_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { CHILD_NO_MEMORY = 77 }; /* the exit code of a child that ran out of memory */

struct child {
	pid_t pid;        /* 0: there is none */
	int fd;           /* a stream socket to it */
	unsigned seconds; /* as in its limits */
};

struct child_limits {
	uint64_t memory; /* bytes, private and writable, beyond what it is born with; 0: no limit */
	unsigned seconds; /* that either side waits for the other's bytes, where the child uses no
			     CPU time meanwhile; 0: for ever */
	bool network;     /* may reach servers and write files (a cache); ends with the user's ^C */
};

/*
 * Starts a child that calls run(fd, arg) and ends. It holds no descriptor but fd (and /dev/null as
 * 0, 1 and 2), writes no core, ends with its parent, and may not gain rights; without l->network it
 * cannot write files, start programs or open sockets. Returns 0, or -1 with errno.
 */
int child_start(struct child *c, const struct child_limits *l, void (*run)(int fd, void *arg),
		void *arg);

/* Kills it, if it still runs, and forgets it. Its status as of waitpid(), -1 not known. */
int child_end(struct child *c);

/* In the child: may use so many more seconds of CPU time, counted from now. */
void child_limit_cpu(unsigned seconds);

/* Waits for bytes of the child, or its end. False with errno EAGAIN where it sleeps for too long,
 * and with EINTR when *child_stop is not 0. */
bool child_await(const struct child *c);

/* All n bytes: false where the other side has ended or the time is up. */
bool child_read(int fd, void *buf, size_t n);
bool child_write(int fd, const void *buf, size_t n);

/* The number by which a user's signal ends all waiting; NULL: none. */
extern const volatile int *child_stop;

#endif
