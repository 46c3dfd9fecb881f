/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs between perf and the program: restores the user's settings (job.c), starts the program,
 * waits for it, and reports to memdb through a pipe.
 *
 * The program must run as if the user had started it. So this process joins the process group of
 * memdb and forks a child, which restores all settings and executes the program. This process
 * itself ignores signals: the program alone decides how to react to them.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/count.h"
#include "base/monotonic.h"
#include "record/job.h"
#include "record/proctree.h"

extern char **environ;

/* Writes a status to memdb's pipe, in one piece: writes below PIPE_BUF bytes are atomic. A failure
 * is ignored, because it means that memdb has ended. */
static void report_status(const struct job *j, struct job_status *s)
{
	s->monotonic_ns = monotonic_ns();
	s->waiter = getpid();
	while (write(j->status_fd, s, sizeof(*s)) < 0 && errno == EINTR)
		;
}

/* Does the program inherit this descriptor? */
static bool is_kept(const struct job *j, int fd)
{
	return (uint32_t)fd / 64 < j->nkeep && (j->keep[fd / 64] >> fd % 64 & 1);
}

/* Sets close-on-exec on all descriptors that are not meant for the program. They are not closed
 * now, because failed_fd is needed if execve() fails. */
static void close_others(const struct job *j)
{
	int last = (int)j->nkeep * 64;

	for (int fd = 3; fd < last; fd++)
		if (!is_kept(j, fd) && fcntl(fd, F_GETFD) >= 0)
			fcntl(fd, F_SETFD, FD_CLOEXEC);
	if (close_range((unsigned)(last > 3 ? last : 3), ~0u, CLOSE_RANGE_CLOEXEC))
		for (int fd = last > 3 ? last : 3; fd < 1024; fd++)
			fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/* Restores the user's stdin, stdout and stderr as descriptors 0, 1 and 2. Closes those of the three
 * that were closed when memdb started. */
static void restore_stdio(const struct job *j)
{
	for (int i = 0; i < 3; i++) {
		if (j->stdio[i] < 0)
			close(i);
		else if (j->stdio[i] != i)
			dup2(j->stdio[i], i);
	}
}

/* Restores the ignored and the blocked signals. Signal handlers need not be reset, because exec()
 * does that. */
static void restore_signals(const struct job *j)
{
	for (int s = 1; s < NSIG; s++)
		signal(s, sigismember(&j->ignored, s) == 1 ? SIG_IGN : SIG_DFL);
	sigprocmask(SIG_SETMASK, &j->blocked, NULL);
}

/* Is the file binary? The kernel cannot execute a text file without "#!". The shell then runs it,
 * just as with execvp(). Returns true also if the file is empty or cannot be read. */
static bool is_binary(const char *path)
{
	char head[4] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, head, sizeof(head));

	return n <= 0 || memchr(head, 0, (size_t)n) || !memcmp(head, "\177ELF", 4);
}

/* Runs the file with /bin/sh. Returns only on failure. */
static void execute_by_shell(const char *path, char **argv)
{
	struct words w = { 0 };

	words_add(&w, "/bin/sh");
	words_add(&w, path);
	words_add_all(&w, argv + 1);
	if (!w.failed)
		execv(w.v[0], w.v);
	words_release(&w);
}

/* Tells memdb that this process exists and will execute the program. Waits until memdb has opened
 * its page-fault events on this process, or has ended. */
static void await_go(const struct job *j)
{
	struct job_status s = { .event = JOB_READY, .pid = getpid() };
	char go;

	if (j->go_fd < 0)
		return;
	report_status(j, &s);
	while (read(j->go_fd, &go, 1) < 0 && errno == EINTR)
		/* read() returns when memdb closes its end of the pipe, or when memdb has ended */
		;
}

/* In the child, restores the user's settings and executes the program. The limits are restored
 * after the descriptors, because a low limit on open files would make dup2() fail. */
static void become_program(const struct job *j, char **argv, int failed_fd)
{
	int sys;

	restore_stdio(j);
	close_others(j);
	umask(j->umask);
	for (int i = 0; i < (int)RLIM_NLIMITS; i++)
		setrlimit((__rlimit_resource_t)i, &j->limits[i]);
	restore_signals(j);
	if (j->death_signal)
		prctl(PR_SET_PDEATHSIG, j->death_signal);
	await_go(j);
	environ = j->env.v;
	execv(j->path.v[0], argv);
	sys = errno;
	if (sys == ENOEXEC && !is_binary(j->path.v[0]))
		execute_by_shell(j->path.v[0], argv);
	if (write(failed_fd, &sys, sizeof(sys)) < 0)
		_exit(125);
	_exit(sys == ENOENT ? 127 : 126);
}

/* Closes this process's copies of the files that the program has open. Otherwise, if the program
 * writes to a pipe and ends, the reader of the pipe would see no end of the data until this process
 * ends, too. */
static void become_waiter(const struct job *j)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int i = 0; i < 3; i++)
		dup2(null, i);
	for (int i = 0; i < 3; i++)
		if (j->stdio[i] > 2)
			close(j->stdio[i]);
	for (uint32_t fd = 3; fd < j->nkeep * 64; fd++)
		if (is_kept(j, (int)fd))
			close((int)fd);
	if (null > 2)
		close(null);
}

/* Ignores signals that the user sends, and those that the program sends to its process group. The
 * program gets them, too, and decides how to react. */
static void ignore_signals(void)
{
	sigset_t set;

	job_message_signals(&set);
	for (int s = 1; s <= SIGRTMAX; s++)
		if (sigismember(&set, s) == 1 || s == SIGINT || s == SIGQUIT || s == SIGTERM ||
		    s == SIGHUP || s == SIGPIPE)
			signal(s, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
}

/* Stops memdb while the program is stopped, so that the user's shell sees that its job is stopped.
 * memdb_fd is memdb's pidfd, `status` the program's state as wait(2) reports it. A program that
 * continues and ends at once only reports its end. */
static void stop_with_program(int memdb_fd, int status)
{
	int sig = WIFSTOPPED(status) ? SIGSTOP : SIGCONT;

	if (memdb_fd >= 0)
		syscall(SYS_pidfd_send_signal, memdb_fd, sig, NULL, 0);
}

static int watched_fd;

/* The handler of SIGIO: when memdb has ended, ends this process, whose child then gets the signal
 * that it would get if its parent were the one of memdb. Others may send SIGIO, too. */
static void end_after_memdb(int sig)
{
	struct pollfd p = { .fd = watched_fd };
	const int sys = errno;

	(void)sig;
	if (poll(&p, 1, 0) > 0 && (p.revents & POLLERR))
		_exit(125);
	errno = sys;
}

/* Only memdb has the status pipe's other end open. When it is closed, the kernel sends SIGIO. There
 * is no thread for this, because it would be recorded. */
static void watch_memdb(const struct job *j)
{
	struct sigaction act = { .sa_handler = end_after_memdb, .sa_flags = SA_RESTART };
	sigset_t io;

	if (!j->death_signal)
		return;
	watched_fd = j->status_fd;
	sigaction(SIGIO, &act, NULL);
	sigemptyset(&io);
	sigaddset(&io, SIGIO);
	sigprocmask(SIG_UNBLOCK, &io, NULL);
	fcntl(j->status_fd, F_SETOWN, getpid());
	fcntl(j->status_fd, F_SETFL, O_ASYNC);
	end_after_memdb(SIGIO); /* memdb may have ended before */
}

/* Waits for the program. With wait_all, also waits for the processes that the program left
 * running. Then reports the end of the program to memdb. */
static void wait_for_program(const struct job *j, pid_t pid, struct job_status *s)
{
	const int memdb_fd = (int)syscall(SYS_pidfd_open, j->memdb, 0);
	bool lives = true, stopped = false;
	struct rusage u;
	int status;
	pid_t got;

	while (lives || j->wait_all) {
		got = wait4(-1, &status, WUNTRACED | WCONTINUED, NULL);
		if (got < 0 && errno != EINTR)
			break;
		if (got != pid)
			continue;
		if (stopped || WIFSTOPPED(status))
			stop_with_program(memdb_fd, status);
		stopped = WIFSTOPPED(status);
		if (stopped || WIFCONTINUED(status))
			continue;
		s->code = status;
		lives = false;
	}
	getrusage(RUSAGE_CHILDREN, &u);
	s->user_ns =
		(uint64_t)u.ru_utime.tv_sec * 1000000000u + (uint64_t)u.ru_utime.tv_usec * 1000;
	s->system_ns =
		(uint64_t)u.ru_stime.tv_sec * 1000000000u + (uint64_t)u.ru_stime.tv_usec * 1000;
	s->max_rss_bytes = (uint64_t)u.ru_maxrss * 1024;
	s->event = JOB_ENDED;
	report_status(j, s);
}

static int exit_code_of(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Returns the exit code for perf. memdb itself gets the program's exit code from the status
 * pipe. */
int job_run(const struct job *j, char **argv)
{
	struct job_status s = { 0 };
	int failed[2], sys = 0;
	uint32_t ppid;
	char state;
	pid_t pid;

	if (pipe2(failed, O_CLOEXEC))
		return 125;
	/* An error is ignored: the call fails only if the group no longer exists. */
	setpgid(0, j->group);
	ignore_signals();
	if (j->wait_all)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	pid = fork();
	if (!pid)
		become_program(j, argv, failed[1]);
	close(failed[1]);
	if (j->go_fd >= 0)
		close(j->go_fd);
	s.pid = pid;
	if (pid < 0)
		sys = errno;
	else if (read(failed[0], &sys, sizeof(sys)) != sizeof(sys))
		sys = 0;
	close(failed[0]);
	s.event = sys ? JOB_FAILED : JOB_STARTED;
	s.code = sys;
	if (!sys)
		proctree_stat(pid, &ppid, &s.start_ticks, &state);
	report_status(j, &s);
	if (sys)
		return sys == ENOENT ? 127 : 126;
	become_waiter(j);
	watch_memdb(j);
	wait_for_program(j, pid, &s);
	return exit_code_of(s.code);
}
