/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/monotonic.h"

enum { LONGEST_PAUSE_MS = 50 }; /* longest time between two checks of the child */

static void set_limit(__rlimit_resource_t what, uint64_t value)
{
	struct rlimit r;

	if (getrlimit(what, &r))
		return;
	r.rlim_cur = value < r.rlim_max ? value : r.rlim_max;
	setrlimit(what, &r);
}

/* Unblocks all signals of the child and sets their default actions, because the caller may block or
 * ignore some. */
static void reset_signals(void)
{
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void exec_command(const struct command *c, pid_t parent, int failed_fd)
{
	uint64_t half = (uint64_t)sysconf(_SC_PHYS_PAGES) / 2 * (uint64_t)sysconf(_SC_PAGESIZE);
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC), sys;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	reset_signals();
	dup2(null, 0);
	dup2(c->log_fd, 1);
	dup2(c->log_fd, 2);
	set_limit(RLIMIT_CORE, 0);
	set_limit(RLIMIT_DATA, half);
	if (c->most_bytes)
		set_limit(RLIMIT_FSIZE, c->most_bytes);
	/* the user has set LD_PRELOAD for the recorded program, not for this command */
	unsetenv("LD_PRELOAD");
	execvp(c->argv[0], (char *const *)(uintptr_t)c->argv);
	sys = errno;
	while (write(failed_fd, &sys, sizeof(sys)) < 0 && errno == EINTR)
		;
	_exit(127);
}

/* Forks, and waits until the child has executed the program. Returns 0 or MD_ESYS. */
static int start_child(const struct command *c, pid_t *pid, struct md_err *err)
{
	pid_t parent = getpid();
	int failed[2], sys = 0;
	ssize_t n;

	if (pipe2(failed, O_CLOEXEC))
		return md_fail_errno(err, MD_ESYS, "cannot run '%s'", c->argv[0]);
	*pid = fork();
	if (!*pid)
		exec_command(c, parent, failed[1]);
	sys = *pid < 0 ? errno : 0;
	close(failed[1]);
	do {
		n = sys ? 0 : read(failed[0], &sys, sizeof(sys));
	} while (n < 0 && errno == EINTR);
	close(failed[0]);
	if (!sys)
		return 0;
	if (*pid > 0)
		waitpid(*pid, NULL, 0);
	errno = sys;
	return md_fail_errno(err, MD_ESYS, "cannot run '%s'", c->argv[0]);
}

static bool must_stop(const struct command *c)
{
	sigset_t pending;

	if (c->stop && *c->stop)
		return true;
	return !sigpending(&pending) &&
	       (sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM) ||
		sigismember(&pending, SIGHUP));
}

static bool has_grown(const char *path, off_t *size)
{
	struct stat st;

	if (!path || stat(path, &st) || st.st_size == *size)
		return false;
	*size = st.st_size;
	return true;
}

static bool has_ended(pid_t pid)
{
	siginfo_t info = { 0 };

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid;
}

/* Waits until the child ends, but no longer than `ms`. `pidfd` refers to the child; below 0, as
 * before Linux 5.3, the wait always takes the whole time. So it does also if another process traces
 * the child, until that one has taken notice of the end: the parent cannot know of it before. */
static void pause_beside(pid_t pid, int pidfd, unsigned ms)
{
	struct pollfd p = { .fd = pidfd, .events = POLLIN }; /* poll() ignores an fd below 0 */

	if (poll(&p, 1, (int)ms) > 0 && !has_ended(pid))
		poll(NULL, 0, (int)ms);
}

/* Returns the time since *last, at most twice LONGEST_PAUSE_MS, and sets *last to now. If more time
 * has passed, memdb itself did not run, for example because the virtual machine got no CPU. Then
 * the command did not run either, so the rest must not count as time without progress. */
static uint64_t counted_ns(uint64_t *last)
{
	const uint64_t now = monotonic_ns(), most = 2 * LONGEST_PAUSE_MS * UINT64_C(1000000);
	uint64_t passed = now - *last;

	*last = now;
	return passed < most ? passed : most;
}

/* Waits until the child has ended (returns 0), has made no progress for too long (MD_ECHILD), or
 * must be stopped (MD_EINTR). In the last two cases the caller must kill it. */
static int watch_child(const struct command *c, pid_t pid, int pidfd, struct md_err *err)
{
	const uint64_t idle_most = c->idle_seconds * UINT64_C(1000000000);
	uint64_t last = monotonic_ns(), idle_ns = 0;
	unsigned pause_ms = 1;
	off_t size = 0;

	while (!has_ended(pid)) {
		if (must_stop(c))
			return md_fail(err, MD_EINTR, "interrupted");
		idle_ns += counted_ns(&last);
		if (has_grown(c->output, &size))
			idle_ns = 0;
		if (idle_ns > idle_most)
			return md_fail(err, MD_ECHILD, "it made no progress for %u s",
				       c->idle_seconds);
		pause_beside(pid, pidfd, pause_ms);
		pause_ms = pause_ms * 2 < LONGEST_PAUSE_MS ? pause_ms * 2 : LONGEST_PAUSE_MS;
	}
	return 0;
}

int command_run(const struct command *c, int *status, struct md_err *err)
{
	pid_t pid = -1;
	int ret, pidfd;

	signal(SIGCHLD, SIG_DFL); /* if SIGCHLD were ignored, the child's status would be lost */
	ret = start_child(c, &pid, err);
	if (ret)
		return ret;
	pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	ret = watch_child(c, pid, pidfd, err);
	if (pidfd >= 0)
		close(pidfd);
	/* waitpid() frees the pid, and another process may then get it, so the process group is
	 * killed first */
	kill(-pid, SIGKILL);
	while (waitpid(pid, status, 0) < 0 && errno == EINTR)
		;
	return ret;
}
