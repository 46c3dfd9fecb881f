/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state that `memdb exec-target` needs to start the program as if memdb and perf were not
 * there.
 *
 * perf changes what its children inherit: PATH and other variables, SIGUSR2 (ignored), SIGWINCH
 * (blocked), open descriptors. So memdb notes its own state when it starts, and exec-target
 * restores it. The state travels in a memory file, whose descriptor perf passes on.
 *
 * exec-target waits for the program. So the exit code is known even if perf dies, and SIGTERM, by
 * which perf ends its child, does not reach the program.
 */
#ifndef MEMDB_RECORD_JOB_H
#define MEMDB_RECORD_JOB_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/words.h"

/* The state to give to the program. */
struct job {
	struct words env;
	struct words path; /* one word: the file to execute */
	int stdio[3];      /* descriptors to become 0, 1 and 2; -1: closed */
	uint64_t *keep;    /* bit set of other descriptors to keep open */
	uint32_t nkeep;    /* number of words in keep */
	sigset_t ignored, blocked;
	struct rlimit limits[RLIM_NLIMITS];
	mode_t umask;
	pid_t group;   /* process group to join: memdb's own */
	int status_fd; /* exec-target writes struct job_status here */
	int go_fd; /* the program is executed when the other end is closed everywhere; -1: at once
		    */
	bool wait_all; /* wait for background processes too */
};

/* What exec-target reports, in this order: READY where there is a go_fd, STARTED or FAILED, then
 * ENDED. */
enum job_event { JOB_STARTED = 1, JOB_FAILED, JOB_ENDED, JOB_READY };

struct job_status {
	uint32_t event;
	int32_t code;         /* FAILED: errno of execve(). ENDED: the status of wait(2) */
	int32_t pid;          /* the program's */
	int32_t waiter;       /* exec-target's; READY: the program's too */
	uint64_t start_ticks; /* STARTED: field 22 of /proc/PID/stat */
	uint64_t monotonic_ns;
	uint64_t user_ns, system_ns, max_rss_bytes; /* ENDED */
};

/* Name under which memdb keeps the program's LD_PRELOAD in its own environment. */
#define JOB_PRELOAD "MEMDB_LD_PRELOAD"

/* Notes the state of this process. Call it before anything changes that state or opens files.
 * MD_ENOMEM, MD_ESYS. */
int job_init(struct job *j, struct md_err *err);
void job_release(struct job *j);

/* Writes *j into a new memory file, which children inherit. Returns the descriptor, or MD_ESYS. */
int job_send(const struct job *j, struct md_err *err);

/*
 * Reads the job that job_send() wrote. The caller frees *j with job_release(). Returns 0,
 * MD_EFORMAT, MD_ENOMEM or MD_ESYS.
 */
int job_receive(int fd, struct job *j, struct md_err *err);

/* Starts the program, reports its state, and waits for it. Returns exec-target's exit code. */
int job_run(const struct job *j, char **argv);

#endif
