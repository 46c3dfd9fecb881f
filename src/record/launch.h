/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs perf, which runs `memdb exec-target`, which runs the program, and waits for all of them.
 *
 * perf gets its own process group, and the program stays in memdb's. So Ctrl-C reaches memdb and
 * the program, and perf records until the program has ended.
 */
#ifndef MEMDB_RECORD_LAUNCH_H
#define MEMDB_RECORD_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "record/job.h"
#include "base/words.h"

struct kernel_symbols;

struct launch {
	const struct words
		*perf;     /* perf's command line up to "--"; empty: exec-target runs alone */
	char *const *argv; /* words of the program's command line */
	struct job *job;   /* launch_run() sets its stdio, status_fd and go_fd */
	int log_fd;        /* stdout and stderr of perf; stays open */
	/* the kernel's symbols, which perf reads from this copy; NULL: from the kernel */
	const struct kernel_symbols *symbols;
	bool quiet; /* whether to print nothing on stderr */

	/*
	 * Called once each; may be NULL. ready: the process that will execute the program exists,
	 * and waits until ready() returns. started: the program runs. ended: the program has ended.
	 */
	void (*ready)(void *arg, const struct job_status *s);
	void (*started)(void *arg, const struct job_status *s);
	void (*ended)(void *arg);
	/* Called ten times a second while perf records; may be NULL. If it returns true, perf's
	 * recording ends, the program continues, and is_full() is not called again. */
	bool (*is_full)(void *arg);
	void *arg;
};

struct launch_result {
	bool started;     /* whether the program was executed */
	bool ended;       /* whether memdb saw the end of the program; end.code is its status */
	bool interrupted; /* whether the user asked memdb to end, by Ctrl-C or another signal */
	/* whether perf (without perf: exec-target) ended while the program was running, although
	 * is_full() had not returned true. Without perf, memdb has then ended the program */
	bool perf_died_first;
	bool full;       /* whether is_full() returned true */
	int exec_errno;  /* errno if the program could not be executed; otherwise 0 */
	int perf_status; /* perf's status of wait(2) */
	struct job_status start, end;
};

/*
 * Returns 0 when perf and the program have ended, even if they failed. Returns MD_ESYS if perf
 * could not be started. Leaves SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGCHLD blocked, except those
 * that the user ignores.
 */
int launch_run(const struct launch *l, struct launch_result *r, struct md_err *err);

/* Returns the exit code that a shell reports for this status of wait(2). */
int launch_exit_code(int status);

#endif
