/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state that `memdb exec-target` needs to start the program as if memdb and perf were not
 * there.
 *
 * perf changes what its children inherit: PATH and other variables, SIGUSR2 (ignored), SIGWINCH
 * (blocked), open descriptors. So memdb stores its own state when it starts, and exec-target
 * restores it. The state is in a memory file (memfd_create(2)), whose descriptor perf passes on.
 *
 * exec-target waits for the program. So the exit code is known even if perf dies, and SIGTERM, with
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

/* The state that the program must have. */
struct job {
	struct words env;
	struct words path; /* one word, the file to execute */
	int stdio[3];      /* descriptors that become 0, 1 and 2; -1 means closed */
	uint64_t *keep;    /* bit set of the other descriptors that stay open */
	uint32_t nkeep;    /* number of words in keep */
	sigset_t ignored, blocked;
	struct rlimit limits[RLIM_NLIMITS];
	mode_t umask;
	pid_t group;   /* the process group that the program joins: memdb's own */
	pid_t memdb;   /* the process that exec-target stops while the program is stopped */
	int status_fd; /* descriptor to which exec-target writes struct job_status */
	/* read end of a pipe: the program is executed when all copies of the other end are closed;
	 * -1 means that it is executed at once */
	int go_fd;
	bool wait_all; /* whether to wait also for processes that the program leaves running */
	/* the signal that the program gets when its parent ends (PR_SET_PDEATHSIG); 0: none. Its
	 * parent is exec-target, which then ends when memdb has ended */
	int death_signal;
};

/* The reports of exec-target, in this order: JOB_READY (only if there is a go_fd), then JOB_STARTED
 * or JOB_FAILED, then JOB_ENDED. */
enum job_event { JOB_STARTED = 1, JOB_FAILED, JOB_ENDED, JOB_READY };

struct job_status {
	uint32_t event;
	int32_t code; /* JOB_FAILED: errno of execve() or fork(); JOB_ENDED: status of wait(2) */
	int32_t pid;  /* pid of the program */
	/* pid of the process that reports: exec-target, or for JOB_READY its child, which becomes
	 * the program */
	int32_t waiter;
	uint64_t start_ticks; /* JOB_STARTED: field 22 of /proc/PID/stat */
	uint64_t monotonic_ns;
	uint64_t user_ns, system_ns, max_rss_bytes; /* JOB_ENDED: resources that the program used */
};

/* The variable in which memdb stores the program's LD_PRELOAD. */
#define JOB_PRELOAD "MEMDB_LD_PRELOAD"

/* Stores the state of this process. Must be called before anything changes that state or opens
 * files. Returns 0, MD_ENOMEM or MD_ESYS. */
int job_init(struct job *j, struct md_err *err);
void job_release(struct job *j);

/* Writes *j to a new memory file, which children inherit. Returns its descriptor, or MD_ESYS. */
int job_send(const struct job *j, struct md_err *err);

/*
 * Reads a job that job_send() wrote. The caller frees *j with job_release(). Returns 0, MD_EFORMAT,
 * MD_ENOMEM or MD_ESYS.
 */
int job_receive(int fd, struct job *j, struct md_err *err);

/* Starts the program, reports its state and waits for its end. Returns the exit code of
 * exec-target. */
int job_run(const struct job *j, char **argv);

/* Fills *set with the signals that end or stop a process if it neither handles nor ignores them,
 * and that mean something only to the program. A program may send them to its process group, to
 * which memdb and the waiter belong, too. SIGINT, SIGQUIT, SIGTERM, SIGHUP and SIGPIPE are not
 * among them. */
void job_message_signals(sigset_t *set);

#endif
