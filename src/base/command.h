/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs another program to its end, within limits. The program gets a process group of its own. No
 * process of that group is left when command_run() returns, and the program itself dies with its
 * caller.
 */
#ifndef MEMDB_BASE_COMMAND_H
#define MEMDB_BASE_COMMAND_H

#include <stdint.h>

#include "base/err.h"

struct command {
	const char *const *argv; /* ends in NULL; argv[0] is looked up in PATH */
	int log_fd;              /* its standard output and error */
	const char *output;      /* the file that it writes, whose growth counts as progress; or
				  * NULL */
	unsigned idle_seconds; /* seconds without progress after which it is killed; those in which
				* memdb stood still do not count */
	uint64_t most_bytes;   /* limit for each file that it writes; 0: no limit */
	const volatile int *stop; /* it is killed when this is not 0; NULL: never */
};

/*
 * Runs it without LD_PRELOAD, without input, with at most half of the machine's memory. *status is
 * as of wait(2). A SIGINT, SIGTERM or SIGHUP that the caller blocks and that is pending counts as
 * *stop. Sets SIGCHLD to its default. Returns 0, or with nothing left running:
 *   MD_ESYS    it could not be run
 *   MD_ECHILD  it was killed because it made no progress
 *   MD_EINTR   it was killed because of *stop
 */
int command_run(const struct command *c, int *status, struct md_err *err);

#endif
