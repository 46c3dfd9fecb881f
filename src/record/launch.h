/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs perf, which runs `memdb exec-target`, which runs the program; and stays with them until all
 * have ended.
 *
 * perf gets a process group of its own, the program stays in memdb's: so Ctrl-C reaches memdb and
 * the program, and perf records until the program has come to its end.
 */
#ifndef MEMDB_RECORD_LAUNCH_H
#define MEMDB_RECORD_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "record/job.h"
#include "base/words.h"

struct launch {
	const struct words *perf; /* `perf record … --` */
	char *const *argv;        /* the program's words */
	struct job *job;          /* stdio, status_fd, go_fd are set while it runs */
	int log_fd;               /* perf's stdout and stderr; not closed */
	bool quiet;               /* nothing on stderr */

	/* Called once each: when a process is about to become the program, which waits for the
	 * return; when the program runs; and when it has ended. May be NULL. */
	void (*ready)(void *arg, const struct job_status *s);
	void (*started)(void *arg, const struct job_status *s);
	void (*ended)(void *arg);
	void *arg;
};

struct launch_result {
	bool started;         /* the program was executed */
	bool ended;           /* and its end was seen: see end.code */
	bool interrupted;     /* somebody asked memdb to end */
	bool perf_died_first; /* perf ended while the program ran */
	int exec_errno;       /* not 0: the program could not be executed */
	int perf_status;      /* of perf, as wait(2) gives it */
	struct job_status start, end;
};

/*
 * Returns 0 when perf has come to its end, however that was, or MD_ESYS, MD_ENOMEM when it could
 * not be started. Leaves SIGINT, SIGTERM, SIGHUP and SIGQUIT blocked.
 */
int launch_run(const struct launch *l, struct launch_result *r, struct md_err *err);

/* The exit code a shell shows for a status of wait(2). */
int launch_exit_code(int status);

#endif
