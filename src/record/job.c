/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores the state that the program must inherit from the user's shell: stdio, limits, signals,
 * umask, environment, open files. perf, which starts the program, changes parts of this state. So
 * memdb stores the state in struct job when memdb starts, and writes it to a memory file before it
 * starts perf. perf passes the descriptor of this file on to exec-target, which restores the
 * state. */
#include "record/job.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/count.h"
#include "base/cursor.h"

#define MAX_JOB (64u << 20) /* larger than any environment that the kernel accepts */
/* descriptors from this number on are not passed to the program */
#define MAX_FDS (1u << 20)

extern char **environ;

/*
 * Marks a descriptor that the program inherits. Numbers from MAX_FDS on are ignored, because no
 * program relies on them. Returns 0 or MD_ENOMEM.
 */
static int keep_fd(struct job *j, unsigned fd)
{
	uint32_t need = fd / 64 + 1;

	if (fd >= MAX_FDS)
		return 0;
	if (need > j->nkeep) {
		uint64_t *p = realloc(j->keep, need * sizeof(*p));

		if (!p)
			return MD_ENOMEM;
		memset(p + j->nkeep, 0, (need - j->nkeep) * sizeof(*p));
		j->keep = p;
		j->nkeep = need;
	}
	j->keep[fd / 64] |= 1ull << fd % 64;
	return 0;
}

/* Marks the open descriptors without the flag close-on-exec, because these are inherited by the
 * program. */
static int note_open_fds(struct job *j, struct md_err *err)
{
	DIR *d = opendir("/proc/self/fd");
	struct dirent *e;
	int ret = 0;

	if (!d)
		return md_fail_errno(err, MD_ESYS, "cannot read /proc/self/fd");
	while (!ret && (e = readdir(d))) {
		int fd = atoi(e->d_name);
		int flags = fcntl(fd, F_GETFD);

		if (fd > 2 && flags >= 0 && !(flags & FD_CLOEXEC))
			ret = keep_fd(j, (unsigned)fd);
	}
	closedir(d);
	return ret ? md_nomem(err) : 0;
}

/* Stores the ignored and the blocked signals, because exec() keeps both: nohup, for example, lets
 * the program ignore SIGHUP. */
static void note_signals(struct job *j)
{
	sigemptyset(&j->ignored);
	sigprocmask(SIG_SETMASK, NULL, &j->blocked);
	for (int s = 1; s < NSIG; s++) {
		struct sigaction a;

		if (!sigaction(s, NULL, &a) && a.sa_handler == SIG_IGN)
			sigaddset(&j->ignored, s);
	}
}

/* Copies the environment for the program. memdb's own environment has the user's LD_PRELOAD under
 * the name JOB_PRELOAD, because perf and exec-target must not load the user's libraries. The copy
 * has it under its own name. */
static void note_environment(struct job *j)
{
	const char *preload = JOB_PRELOAD "=";

	for (char **e = environ; *e; e++)
		if (!strncmp(*e, preload, strlen(preload)))
			words_addf(&j->env, "LD_PRELOAD=%s", *e + strlen(preload));
		else
			words_add(&j->env, *e);
}

/* Must be called before memdb opens a file, because the program would inherit that file, too. */
int job_init(struct job *j, struct md_err *err)
{
	*j = (struct job){ .status_fd = -1, .go_fd = -1, .group = getpgrp(), .memdb = getpid() };
	for (int i = 0; i < 3; i++)
		j->stdio[i] = fcntl(i, F_GETFD) < 0 ? -1 : i;
	for (int i = 0; i < (int)RLIM_NLIMITS; i++)
		if (getrlimit((__rlimit_resource_t)i, &j->limits[i]))
			return md_fail_errno(err, MD_ESYS, "cannot read the resource limits");
	note_signals(j);
	j->umask = umask(0);
	umask(j->umask);
	if (prctl(PR_GET_PDEATHSIG, &j->death_signal))
		j->death_signal = 0;
	note_environment(j);
	if (j->env.failed)
		return md_nomem(err);
	return note_open_fds(j, err);
}

/* The descriptors in *j stay open: they belong to the caller. */
void job_release(struct job *j)
{
	words_release(&j->env);
	words_release(&j->path);
	free(j->keep);
	j->keep = NULL;
}

/* The start of the memory file: the members of struct job that have a fixed size. No other version
 * of memdb reads it, so its layout may change. */
struct job_head {
	int stdio[3];
	uint32_t nkeep, npath, nenv;
	sigset_t ignored, blocked;
	struct rlimit limits[RLIM_NLIMITS];
	mode_t umask;
	pid_t group, memdb;
	int status_fd, go_fd;
	bool wait_all;
	int death_signal;
};

/* Writes each word with its final zero byte. */
static void write_words(const struct words *w, FILE *f)
{
	for (size_t i = 0; i < w->n; i++)
		fwrite(w->v[i], 1, strlen(w->v[i]) + 1, f);
}

/* Writes *j. The padding of the struct must be zeroed: otherwise it would contain old bytes of this
 * process's stack. */
static void write_job(const struct job *j, FILE *f)
{
	struct job_head h;

	memset(&h, 0, sizeof(h));
	memcpy(h.stdio, j->stdio, sizeof(h.stdio));
	memcpy(h.limits, j->limits, sizeof(h.limits));
	h.nkeep = j->nkeep;
	h.npath = (uint32_t)j->path.n;
	h.nenv = (uint32_t)j->env.n;
	h.ignored = j->ignored;
	h.blocked = j->blocked;
	h.umask = j->umask;
	h.group = j->group;
	h.memdb = j->memdb;
	h.status_fd = j->status_fd;
	h.go_fd = j->go_fd;
	h.wait_all = j->wait_all;
	h.death_signal = j->death_signal;
	fwrite(&h, sizeof(h), 1, f);
	if (j->nkeep)
		fwrite(j->keep, sizeof(*j->keep), j->nkeep, f);
	write_words(&j->path, f);
	write_words(&j->env, f);
}

/* The descriptor has no close-on-exec flag, so perf and exec-target inherit it. */
int job_send(const struct job *j, struct md_err *err)
{
	int fd = memfd_create("memdb-job", 0);
	int copy = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);
	FILE *f = copy < 0 ? NULL : fdopen(copy, "w");

	if (!f) {
		md_fail_errno(err, MD_ESYS, "cannot make a memory file");
		goto fail;
	}
	copy = -1;
	write_job(j, f);
	if (fclose(f)) {
		md_fail_errno(err, MD_ESYS, "cannot write a memory file");
		goto fail;
	}
	return fd;
fail:
	if (copy >= 0)
		close(copy);
	if (fd >= 0)
		close(fd);
	return MD_ESYS;
}

/* Reads n strings, each terminated by NUL, and adds them to w. Returns 0, MD_ENOMEM, or MD_EFORMAT
 * if a string has no end. */
static int read_words(struct cursor *c, uint32_t n, struct words *w)
{
	for (uint32_t i = 0; i < n; i++) {
		const char *s = (const char *)c->p;
		const char *nul = memchr(s, 0, cursor_left(c));

		if (!nul)
			return MD_EFORMAT;
		words_add(w, s);
		cursor_skip(c, (uint64_t)(nul - s) + 1);
	}
	return w->failed ? MD_ENOMEM : 0;
}

/* Reads a job. It comes from another process, so all sizes are checked. */
static int read_job(struct cursor *c, struct job *j)
{
	const struct job_head *head = cursor_bytes(c, sizeof(*head));
	struct job_head h;
	const void *keep;
	int ret;

	if (!head)
		return MD_EFORMAT;
	memcpy(&h, head, sizeof(h));
	memcpy(j->stdio, h.stdio, sizeof(h.stdio));
	memcpy(j->limits, h.limits, sizeof(h.limits));
	j->ignored = h.ignored;
	j->blocked = h.blocked;
	j->umask = h.umask;
	j->group = h.group;
	j->memdb = h.memdb;
	j->status_fd = h.status_fd;
	j->go_fd = h.go_fd;
	j->wait_all = h.wait_all;
	j->death_signal = h.death_signal;
	keep = cursor_bytes(c, h.nkeep * (uint64_t)sizeof(*j->keep));
	if (!keep)
		return MD_EFORMAT;
	j->keep = malloc(h.nkeep * sizeof(*j->keep) + 1);
	if (!j->keep)
		return MD_ENOMEM;
	memcpy(j->keep, keep, h.nkeep * sizeof(*j->keep));
	j->nkeep = h.nkeep;
	ret = read_words(c, h.npath, &j->path);
	return ret ? ret : read_words(c, h.nenv, &j->env);
}

/* *j gets copies of everything, so the caller may close the memory file afterwards. */
int job_receive(int fd, struct job *j, struct md_err *err)
{
	struct stat st;
	struct cursor c;
	void *p;
	int ret;

	*j = (struct job){ .status_fd = -1, .go_fd = -1 };
	if (fstat(fd, &st) || st.st_size <= 0 || st.st_size > MAX_JOB)
		return md_fail(err, MD_EFORMAT, "descriptor %d holds no job", fd);
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return md_fail_errno(err, MD_ESYS, "cannot read the job");
	c = cursor_make(p, (size_t)st.st_size, false);
	ret = read_job(&c, j);
	munmap(p, (size_t)st.st_size);
	if (ret == MD_EFORMAT)
		return md_fail(err, ret, "descriptor %d holds no job", fd);
	return ret ? md_nomem(err) : 0;
}

void job_message_signals(sigset_t *set)
{
	static const int sigs[] = { SIGUSR1, SIGUSR2,   SIGALRM, SIGVTALRM, SIGPROF, SIGIO,
				    SIGPWR,  SIGSTKFLT, SIGTSTP, SIGTTIN,   SIGTTOU };

	sigemptyset(set);
	for (size_t i = 0; i < COUNT_OF(sigs); i++)
		sigaddset(set, sigs[i]);
	for (int s = SIGRTMIN; s <= SIGRTMAX; s++)
		sigaddset(set, s);
}
