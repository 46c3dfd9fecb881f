/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `memdb exec-target` needs to start the program as if memdb and perf were not there.
 *
 * perf changes what its children inherit: PATH and other variables, SIGUSR2 ignored, SIGWINCH
 * blocked, descriptors left open. So memdb notes its own state when it starts, and exec-target
 * brings it back. It travels in a memory file, whose descriptor goes through perf.
 *
 * exec-target stays and waits for the program. So the exit code is known also when perf dies, and
 * perf's own way to end a recording, SIGTERM to its child, does not hit the program.
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
	int status_fd; /* struct job_status are written here */
	int go_fd;     /* the program is executed when nobody holds its other end; -1: at once */
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

/* The other side. MD_EFORMAT, MD_ENOMEM, MD_ESYS. */
int job_receive(int fd, struct job *j, struct md_err *err);

/* Starts the program, reports, waits for it. Returns what exec-target is to exit with. */
int job_run(const struct job *j, char **argv);

#endif
