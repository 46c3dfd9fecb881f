/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/count.h"
#include "base/sanitized.h"
#include "symbol/confine.h"

const volatile int *child_stop;

enum {
	MAX_DESCRIPTORS = 1 << 20,
	/* libdw takes up to 150 KiB of stack, and more for nested types. The usual limit is 8 MiB
	 */
	STACK_BYTES = 8 << 20,
	GUARD_BYTES = 64 << 10, /* inaccessible; at least one page of any machine */
};

/*
 * Is this a signal of a crash, which a sanitizer handles? In a sanitized build, the sanitizer's
 * handler is kept. That handler writes a report to standard error, which may be a file, and starts
 * a program that finds source lines.
 */
static bool is_fault(int sig)
{
	return sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL || sig == SIGABRT;
}

/*
 * Resets the signal handlers. Ctrl-C in a terminal sends its signal to the child, too. With
 * ignore_keys the child ignores the signals in `keys`, so that the parent decides what happens: the
 * child ends when the parent does.
 */
static void reset_signals(bool ignore_keys)
{
	static const int keys[] = { SIGINT, SIGQUIT, SIGHUP, SIGTERM };
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++)
		if (!SANITIZED || !is_fault(sig))
			signal(sig, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; ignore_keys && i < COUNT_OF(keys); i++)
		signal(keys[i], SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/*
 * Closes all descriptors except fd, which becomes 3, and opens /dev/null as 0 to 2. Under a
 * sanitizer, 2 stays as it is. Returns false if fd cannot become 3.
 */
static bool reset_descriptors(int fd)
{
	int null = open("/dev/null", O_RDWR);

	if (fd != 3 && dup2(fd, 3) < 0)
		return false;
	for (int i = 0; i < (SANITIZED ? 2 : 3); i++)
		if (null < 0 || dup2(null, i) < 0)
			close(i);
	/* Linux before 5.9 has no close_range(): there, each descriptor is closed by itself */
	if (close_range(4, ~0u, 0))
		for (int i = 4; i < sysconf(_SC_OPEN_MAX) && i < MAX_DESCRIPTORS; i++)
			close(i);
	return true;
}

static void set_limit(__rlimit_resource_t what, uint64_t value)
{
	struct rlimit r;

	if (getrlimit(what, &r))
		return;
	if (value > r.rlim_max)
		value = r.rlim_max;
	r.rlim_cur = value;
	setrlimit(what, &r);
}

/*
 * Limits the private writable memory and not the address space, so that a file of any size can be
 * mapped for reading. Memory that the process already has does not count: the limit is added to it.
 * A sanitizer, for example, has already reserved 20 TiB of addresses.
 */
static void limit_memory(uint64_t bytes)
{
	FILE *f = bytes ? fopen("/proc/self/statm", "r") : NULL;
	unsigned long data;

	if (f && fscanf(f, "%*u %*u %*u %*u %*u %lu", &data) == 1)
		set_limit(RLIMIT_DATA, data * (uint64_t)sysconf(_SC_PAGESIZE) + bytes);
	if (f)
		fclose(f);
}

void child_limit_cpu(unsigned seconds)
{
	struct rusage ru;

	if (getrusage(RUSAGE_SELF, &ru) == 0)
		set_limit(RLIMIT_CPU, (uint64_t)ru.ru_utime.tv_sec + (uint64_t)ru.ru_stime.tv_sec +
					      1 + seconds);
}

/* Maps a stack for the child, if the limit of its own stack (ulimit -s) is too small. Called before
 * limit_memory(), so that the stack does not count. Returns NULL if there is no need or no
 * memory. */
static char *map_stack(void)
{
	const size_t bytes = STACK_BYTES + GUARD_BYTES;
	struct rlimit r;
	char *p;

	if (getrlimit(RLIMIT_STACK, &r) || r.rlim_cur >= STACK_BYTES)
		return NULL;
	p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	mprotect(p, GUARD_BYTES, PROT_NONE);
	return p + GUARD_BYTES;
}

/* What the child runs. It is a global variable, because makecontext() passes no pointers. */
static struct {
	void (*run)(int fd, void *arg);
	void *arg;
} job;

static void run_job(void)
{
	job.run(3, job.arg);
	_exit(EXIT_SUCCESS);
}

static void run_on(char *stack)
{
	ucontext_t c;

	if (stack && !getcontext(&c)) {
		c.uc_stack.ss_sp = stack;
		c.uc_stack.ss_size = STACK_BYTES;
		c.uc_link = NULL;
		makecontext(&c, run_job, 0);
		setcontext(&c);
	}
	run_job();
}

static void confine_self(int fd, pid_t parent, const struct child_limits *l)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	reset_signals(!l->network);
	if (!reset_descriptors(fd))
		_exit(EXIT_FAILURE);
	limit_memory(l->memory);
	set_limit(RLIMIT_CORE, 0);
	/* RLIMIT_CORE does not prevent core dumps that are piped to a program */
	prctl(PR_SET_DUMPABLE, 0);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || l->network || SANITIZED)
		return;
	set_limit(RLIMIT_FSIZE, 0);
	confine_calls();
}

static void limit_waiting(int fd, unsigned seconds)
{
	struct timeval t = { .tv_sec = (time_t)seconds };

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof(t));
}

int child_start(struct child *c, const struct child_limits *l, void (*run)(int fd, void *arg),
		void *arg)
{
	pid_t parent = getpid(), pid;
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd))
		return -1;
	pid = fork();
	if (pid == 0) {
		char *stack = map_stack();

		confine_self(fd[1], parent, l);
		job.run = run;
		job.arg = arg;
		run_on(stack);
	}
	close(fd[1]);
	if (pid < 0) {
		close(fd[0]);
		return -1;
	}
	limit_waiting(fd[0], l->seconds);
	*c = (struct child){ .pid = pid, .fd = fd[0], .seconds = l->seconds };
	return 0;
}

int child_end(struct child *c)
{
	int status = -1;
	pid_t got;

	if (!c->pid)
		return -1;
	close(c->fd);
	/* no harm if the child has ended already: waitpid() still returns its status */
	kill(c->pid, SIGKILL);
	do {
		got = waitpid(c->pid, &status, 0);
	} while (got < 0 && errno == EINTR);
	*c = (struct child){ 0 };
	return got < 0 ? -1 : status;
}

/* Returns how many ns of CPU time the process has used; 0 means unknown. */
static uint64_t cpu_ns(pid_t pid)
{
	struct timespec t;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t))
		return 0;
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

bool child_await(const struct child *c)
{
	uint64_t used = cpu_ns(c->pid), now;
	unsigned slept = 0;

	for (;;) {
		struct pollfd p = { .fd = c->fd, .events = POLLIN };
		int n = poll(&p, 1, 1000);

		if (child_stop && *child_stop) {
			errno = EINTR;
			return false;
		}
		if (n > 0 || (n < 0 && errno != EINTR))
			return true;
		now = cpu_ns(c->pid);
		slept = now != used ? 0 : slept + !n;
		used = now;
		if (c->seconds && slept >= c->seconds) {
			errno = EAGAIN;
			return false;
		}
	}
}

bool child_read(int fd, void *buf, size_t n)
{
	char *p = buf;

	while (n) {
		ssize_t got = recv(fd, p, n, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		p += got;
		n -= (size_t)got;
	}
	return true;
}

bool child_write(int fd, const void *buf, size_t n)
{
	const char *p = buf;

	while (n) {
		ssize_t done = send(fd, p, n, MSG_NOSIGNAL);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
	}
	return true;
}
