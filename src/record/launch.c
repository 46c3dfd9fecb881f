/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs perf, which runs exec-target, which runs the program, and waits for all of them.
 *
 * Ctrl-C reaches all processes of the foreground group. Only the program should react to it: if
 * perf reacted, too, perf would end before the program, and the last part of the program would not
 * be recorded. So perf runs in a process group of its own, which Ctrl-C does not reach, and memdb
 * waits until the program has ended. If the program continues after a first Ctrl-C, a second one
 * ends it.
 *
 * Through a pipe, exec-target reports facts that perf does not: the program's pid, its exit code,
 * and why it could not be executed.
 *
 * The samplers exact and soft need no perf. Then exec-target takes perf's place in this file.
 */
#include "record/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/count.h"
#include "record/kernel_symbols.h"
#include "record/proctree.h"

#define FULL_EVERY_NS 100000000 /* ns between two calls of is_full() */
#define SAY_AFTER_MS                                                                      \
	1500           /* ms; if the program still runs this long after Ctrl-C, a hint is \
			* printed */
#define DEEPEST   64   /* maximum number of ancestors of a process that are looked at */
#define ORPHAN_MS 2000 /* ms; maximum time that the program gets to end after SIGTERM */

struct run {
	const struct launch *l;
	struct launch_result *r;
	pid_t perf; /* pid of perf; 0 after it was reaped */
	/* memdb's end of the status pipe; -1 when exec-target has closed the other end */
	int status_fd;
	/* memdb's end of the go pipe; memdb closes it to start the program. -1 means that the
	 * program does not wait */
	int go_fd;
	int signal_fd;
	/* a timer: when it is readable, is_full() is called; -1 means that it is not called */
	int timer_fd;
	unsigned asked; /* how many signals the user has sent so far to end memdb */
	bool hinted;    /* whether the hint after Ctrl-C has been printed */
};

/* Returns 128 + the signal's number if a signal ended the process. */
int launch_exit_code(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Prints to stderr, just like all other messages. */
static void print_sentence(const struct run *run, const char *sentence)
{
	if (!run->l->quiet)
		fprintf(stderr, "memdb record: %s\n", sentence);
}

/* In the child, executes perf: with default signal handling, and without the user's preloaded
 * libraries and settings. */
static void become_perf(const struct launch *l, char *const *argv)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	setpgid(0, 0);
	dup2(null, 0);
	dup2(l->log_fd, 1);
	dup2(l->log_fd, 2);
	for (int s = 1; s < NSIG; s++)
		/* SIGXFSZ stays ignored, so that a limit on file sizes makes perf's write() fail */
		signal(s, s == SIGXFSZ ? SIG_IGN : SIG_DFL);
	sigprocmask(SIG_SETMASK, &l->job->blocked, NULL);
	unsetenv("LD_PRELOAD");
	if (l->perf->n)
		kernel_symbols_share(l->symbols);
	setenv("PERF_CONFIG", "/dev/null",
	       1); /* the user's perfconfig must not change memdb's recordings */
	execv(argv[0], argv);
	fprintf(stderr, "cannot execute '%s': %s\n", argv[0], strerror(errno));
	_exit(127);
}

/* Builds perf's command line; perf in turn runs this memdb as exec-target. Returns 0 or -1. */
static int build_argv(const struct launch *l, int job_fd, struct words *w)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n < 0)
		return -1;
	self[n] = 0;
	words_add_all(w, l->perf->v);
	words_add(w, self);
	words_add(w, "exec-target");
	words_addf(w, "--job=%d", job_fd);
	words_add(w, "--");
	words_add_all(w, l->argv);
	return w->failed ? -1 : 0;
}

/* Duplicates memdb's stdin, stdout and stderr for the program, because perf gets other files as its
 * own. Returns 0 or -1. */
static int copy_stdio(struct job *j)
{
	for (int i = 0; i < 3; i++) {
		if (j->stdio[i] < 0)
			continue;
		j->stdio[i] = fcntl(i, F_DUPFD, 3);
		if (j->stdio[i] < 0)
			return -1;
	}
	return 0;
}

/* Closes the descriptors that only perf and the program need. */
static void close_copies(struct job *j)
{
	for (int i = 0; i < 3; i++) {
		if (j->stdio[i] > 2)
			close(j->stdio[i]);
		j->stdio[i] = j->stdio[i] < 0 ? -1 : i;
	}
	if (j->status_fd >= 0)
		close(j->status_fd);
	if (j->go_fd >= 0)
		close(j->go_fd);
	j->status_fd = j->go_fd = -1;
}

/* Makes a pipe between memdb and perf's children. *ours is memdb's end, to which memdb writes if
 * we_write is set; it is close-on-exec. *theirs is inherited by perf and its children. Returns 0 or
 * -1. */
static int make_pipe(int *ours, int *theirs, bool we_write)
{
	int fds[2];

	if (pipe(fds))
		return -1;
	*ours = fds[we_write];
	*theirs = fds[!we_write];
	return fcntl(*ours, F_SETFD, FD_CLOEXEC);
}

/* Forks perf. Closes the ends of the pipes that belong to the child. */
static int spawn_perf(struct run *run, struct md_err *err)
{
	struct job *j = run->l->job;
	struct words argv = { 0 };
	int job_fd = -1, ret = 0;

	if (make_pipe(&run->status_fd, &j->status_fd, false) ||
	    (run->l->ready && make_pipe(&run->go_fd, &j->go_fd, true)) || copy_stdio(j)) {
		ret = md_fail_errno(err, MD_ESYS, "cannot make a pipe to the program");
		goto out;
	}
	job_fd = job_send(j, err);
	if (job_fd < 0) {
		ret = job_fd;
		goto out;
	}
	if (build_argv(run->l, job_fd, &argv)) {
		ret = md_fail_errno(err, MD_ESYS, "cannot build perf's command line");
		goto out;
	}
	run->perf = fork();
	if (!run->perf)
		become_perf(run->l, argv.v);
	if (run->perf < 0)
		ret = md_fail_errno(err, MD_ESYS, "cannot start perf");
	else
		setpgid(run->perf, run->perf);
out:
	close_copies(j);
	if (job_fd >= 0)
		close(job_fd);
	words_release(&argv);
	return ret;
}

/* Lets the program start: closes the go pipe, on which the child of exec-target waits. */
static void let_go(struct run *run)
{
	if (run->go_fd >= 0)
		close(run->go_fd);
	run->go_fd = -1;
}

/* Reads one status from exec-target and acts on it. Closes the pipe at its end of file, which means
 * that exec-target has ended. */
static void take_status(struct run *run)
{
	struct launch_result *r = run->r;
	struct job_status s;
	ssize_t n = read(run->status_fd, &s, sizeof(s));

	if (n < 0 && errno == EINTR)
		return;
	if (n != sizeof(s)) {
		close(run->status_fd);
		run->status_fd = -1;
		return;
	}
	if (s.event == JOB_READY) {
		run->l->ready(run->l->arg, &s);
		let_go(run);
	} else if (s.event == JOB_STARTED) {
		r->started = true;
		r->start = s;
		if (run->l->started)
			run->l->started(run->l->arg, &s);
	} else if (s.event == JOB_FAILED) {
		r->exec_errno = s.code;
	} else if (s.event == JOB_ENDED) {
		r->ended = true;
		r->end = s;
		if (run->l->ended)
			run->l->ended(run->l->arg);
	}
}

/* Sends a signal to the program. If the program is not running, makes perf end. */
static void to_program(const struct run *run, int sig)
{
	if (run->r->started && !run->r->ended)
		kill(run->r->start.pid, sig);
	else if (run->perf)
		kill(run->perf, sig == SIGKILL ? SIGKILL : SIGINT);
}

/* Did the program, or a process that it started, send the signal, for example to all processes of
 * its group? Then it means nothing to memdb. */
static bool is_from_program(const struct run *run, const struct signalfd_siginfo *si)
{
	uint32_t pid = si->ssi_pid;
	uint64_t start_ticks;
	char state;

	if (si->ssi_code > 0 || !run->r->started)
		return false;
	for (int depth = 0; depth < DEEPEST && pid > 1; depth++) {
		if (pid == (uint32_t)run->r->start.waiter)
			return true;
		if (!proctree_stat((pid_t)pid, &pid, &start_ticks, &state))
			return false;
	}
	return false;
}

/* The user asks for the end: the first signal reaches the program, the second ends the recording
 * and the program, the third kills the program. */
static void take_request(struct run *run, const struct signalfd_siginfo *si)
{
	run->r->interrupted = true;
	run->asked++;
	if (run->asked == 1) {
		if (si->ssi_code != SI_KERNEL || !run->r->started)
			to_program(run, (int)si->ssi_signo);
	} else if (run->asked == 2) {
		print_sentence(run, "ending the recording and the program");
		if (run->perf)
			kill(run->perf, SIGINT);
		to_program(run, SIGTERM);
	} else {
		to_program(run, SIGKILL);
	}
}

/* Handles a signal. A signal from the terminal also reaches the program. A signal that kill(1) sent
 * reaches only memdb, so memdb passes it on to the program. */
static void take_signal(struct run *run)
{
	struct signalfd_siginfo si;
	int sig;

	if (read(run->signal_fd, &si, sizeof(si)) != sizeof(si) || si.ssi_signo == SIGCHLD ||
	    is_from_program(run, &si))
		return;
	sig = (int)si.ssi_signo;
	if (sig == SIGINT || sig == SIGTERM || sig == SIGHUP)
		take_request(run, &si);
	else if (sig == SIGTSTP && !run->r->started)
		raise(SIGSTOP); /* later, exec-target stops memdb if the program stops */
	else if (si.ssi_code != SI_KERNEL)
		to_program(run, sig);
}

/* Ends the program, because exec-target has ended before it. Nobody else reports the end of the
 * program, and the recording must be complete when it is read. */
static void end_orphan(const struct run *run)
{
	struct pollfd p = { .fd = (int)syscall(SYS_pidfd_open, run->r->start.pid, 0),
			    .events = POLLIN };

	kill(run->r->start.pid, SIGTERM);
	if (p.fd < 0)
		return;
	if (!poll(&p, 1, ORPHAN_MS)) {
		kill(run->r->start.pid, SIGKILL);
		poll(&p, 1, ORPHAN_MS);
	}
	close(p.fd);
}

/* Reaps perf if it has ended. Then also reads the statuses that are still in the pipe, because only
 * these show whether the program had ended before perf. */
static void reap_perf(struct run *run)
{
	struct pollfd p = { .fd = run->status_fd, .events = POLLIN };

	if (!run->perf || waitpid(run->perf, &run->r->perf_status, WNOHANG) != run->perf)
		return;
	run->perf = 0;
	while ((p.fd = run->status_fd) >= 0 && poll(&p, 1, 0) > 0)
		take_status(run);
	run->r->perf_died_first = run->r->started && !run->r->ended && !run->r->full;
	if (run->r->perf_died_first && !run->l->perf->n)
		end_orphan(run);
	else if (run->r->perf_died_first)
		print_sentence(run, "perf has ended before the program; waiting for the program");
}

/* Makes the timer for is_full(), which expires ten times a second. Returns 0 or -1. */
static int make_timer(struct run *run)
{
	const struct timespec often = { .tv_nsec = FULL_EVERY_NS };

	if (!run->l->is_full)
		return 0;
	run->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	return run->timer_fd < 0 ? -1
				 : timerfd_settime(run->timer_fd, 0,
						   &(struct itimerspec){ often, often }, NULL);
}

static void end_timer(struct run *run)
{
	if (run->timer_fd >= 0)
		close(run->timer_fd);
	run->timer_fd = -1;
}

/* If the capture is full, ends perf just as Ctrl-C does: then perf writes the contents of its
 * buffers. */
static void take_timer(struct run *run)
{
	uint64_t times;

	if (read(run->timer_fd, &times, sizeof(times)) != sizeof(times) || !run->r->started ||
	    run->r->ended || !run->perf || !run->l->is_full(run->l->arg))
		return;
	run->r->full = true;
	kill(run->perf, SIGINT);
	end_timer(run);
}

/* Have perf and the program ended? Both must be checked, because the program may outlive perf. */
static bool is_over(const struct run *run)
{
	return !run->perf && (run->status_fd < 0 || run->r->ended || run->r->exec_errno);
}

/* Handles signals, statuses and the end of perf, until perf and the program have ended. */
static void wait_for_end(struct run *run)
{
	while (!is_over(run)) {
		bool patient = !run->asked || run->hinted || run->r->ended;
		struct pollfd p[] = { { .fd = run->signal_fd, .events = POLLIN },
				      { .fd = run->status_fd, .events = POLLIN },
				      /* while memdb waits for SAY_AFTER_MS, the timer is not
				       * polled, because it would end the wait earlier */
				      { .fd = patient ? run->timer_fd : -1, .events = POLLIN } };
		int n = poll(p, COUNT_OF(p), patient ? -1 : SAY_AFTER_MS);

		if (!n) {
			run->hinted = true;
			print_sentence(run, "the program goes on; once more (Ctrl-C) ends it and "
					    "the recording");
		}
		/* Statuses are read before signals, because a signal is passed on only to a program
		 * that has started. */
		if (n > 0 && p[1].revents)
			take_status(run);
		if (n > 0 && p[0].revents)
			take_signal(run);
		if (n > 0 && p[0].revents)
			reap_perf(run);
		if (n > 0 && p[2].revents)
			take_timer(run);
	}
}

/* Blocks the signals and reads them from a descriptor, so that no signal is lost between two calls
 * of poll(). */
int launch_run(const struct launch *l, struct launch_result *r, struct md_err *err)
{
	static const int sigs[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD };
	struct run run = {
		.l = l, .r = r, .status_fd = -1, .go_fd = -1, .signal_fd = -1, .timer_fd = -1
	};
	sigset_t set;
	int ret;

	memset(r, 0, sizeof(*r));
	job_message_signals(&set);
	for (size_t i = 0; i < COUNT_OF(sigs); i++)
		if (sigs[i] == SIGCHLD || sigismember(&l->job->ignored, sigs[i]) != 1)
			sigaddset(&set, sigs[i]);
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &set, NULL);
	run.signal_fd = signalfd(-1, &set, SFD_CLOEXEC);
	if (run.signal_fd < 0)
		return md_fail_errno(err, MD_ESYS, "cannot watch signals");
	ret = make_timer(&run) ? md_fail_errno(err, MD_ESYS, "cannot make a timer")
			       : spawn_perf(&run, err);
	if (!ret) {
		/* perf may have ended already, for example because it cannot be executed */
		reap_perf(&run);
		wait_for_end(&run);
	}
	let_go(&run);
	end_timer(&run);
	if (run.status_fd >= 0)
		close(run.status_fd);
	close(run.signal_fd);
	return ret;
}
