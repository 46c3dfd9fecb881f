/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs another program to its end, within limits. The program gets its own process group. When
 * command_run() returns, no process of that group is left. If the caller dies, the program is
 * killed.
 */
#ifndef MEMDB_BASE_COMMAND_H
#define MEMDB_BASE_COMMAND_H

#include <stdint.h>

#include "base/err.h"

struct command {
	const char *const *argv; /* ends with NULL; argv[0] is looked for in PATH */
	int log_fd; /* the program's standard output and standard error go to this descriptor */
	/* file whose growth counts as progress of the program; may be NULL */
	const char *output;
	/* the program is killed after this time without progress; time in which memdb itself did
	 * not run is not counted */
	unsigned idle_seconds;
	/* maximum size in bytes of each file that the program writes; 0 means no limit */
	uint64_t most_bytes;
	/* the program is killed when this flag is not 0; NULL means never */
	const volatile int *stop;
};

/*
 * Runs the program without LD_PRELOAD and without input. Limits its data segment (RLIMIT_DATA) to
 * half of the machine's memory. *status is the program's status as wait(2) reports it. If the
 * caller blocks SIGINT, SIGTERM or SIGHUP and such a signal is pending, the program is killed, just
 * as with *c->stop. Sets the action of SIGCHLD to the default. Returns 0, or with nothing left
 * running:
 *   MD_ESYS    the program could not be started
 *   MD_ECHILD  it was killed because it made no progress
 *   MD_EINTR   it was killed because of *c->stop or a pending signal
 */
int command_run(const struct command *c, int *status, struct md_err *err);

#endif
