/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Helpers of the hostile programs. A block of MARK bytes, a size that nothing else allocates, is a
 * marked block. The tracker's logs of all processes of a program must show the right numbers of
 * births (allocations) and deaths (ends) of marked blocks. The first comment of a program tells
 * run.sh what to expect. N is a number or a range LOW..HIGH:
 *
 * expect: births N deaths N   of marked blocks; "program" means that the program reports the
 *                             numbers at its end, with hostile_expect()
 * exact: BYTES NUMBER         births of blocks of BYTES bytes, and as many deaths
 * unknown: NUMBER             deaths of blocks whose birth is not in the log
 * stackless: N                births without a stack; 0 if not given
 * lost: N                     events that the tracker could not record; 0 if not given
 * events: FUNCTION N ...      events of each of these functions
 * kinds: KIND N ...           events of each of these kinds
 * homes: NUMBER               blocks whose pages are all reported to be on node 0
 * log: KIB                    limit of the disk space that all logs need
 * options: WORDS              the options of the tracker (MEMDB_TRACK_OPTIONS)
 * needs: root                 other users skip the program
 * uses: LIBRARY               meson.build links the program with LIBRARY.c of this folder
 */
#ifndef MEMDB_TESTS_HOSTILE_H
#define MEMDB_TESTS_HOSTILE_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MARK = 1237 };

#if defined(__x86_64__)
#define LOADER "/lib64/ld-linux-x86-64.so.2"
#else
#define LOADER "/lib/ld-linux-aarch64.so.1"
#endif

#define NOINLINE __attribute__((noinline))

/* Hides the block from the compiler, which could otherwise remove a pair of malloc and free. */
static inline void *keep(void *p)
{
	__asm__ volatile("" : "+r"(p) : : "memory");
	return p;
}

static inline void die(const char *what)
{
	perror(what);
	_exit(99);
}

static inline void *mark(void)
{
	char *p = keep(malloc(MARK));

	if (!p)
		die("malloc");
	p[0] = p[MARK - 1] = 1;
	return p;
}

static inline void pairs(int n)
{
	for (int i = 0; i < n; i++)
		free(mark());
}

static inline void births(int n)
{
	for (int i = 0; i < n; i++)
		mark();
}

static inline void must(int ok, const char *what)
{
	if (ok)
		return;
	dprintf(1, "not so: %s\n", what);
	_exit(98);
}

static inline void wait_for(pid_t pid)
{
	int status = 0;

	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		die("waitpid");
	must(WIFEXITED(status) && !WEXITSTATUS(status), "a child ended well");
}

static inline void start_threads(pthread_t *t, int n, void *(*run)(void *), void *arg)
{
	pthread_attr_t a;

	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, 64 << 10);
	for (int i = 0; i < n; i++)
		if (pthread_create(&t[i], &a, run, arg))
			die("pthread_create");
	pthread_attr_destroy(&a);
}

static inline void join_threads(pthread_t *t, int n)
{
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
}

/* Tells run.sh, through a file, that the log must show between `low` and `high` births of marked
 * blocks. For programs whose number of births is not known in advance ("expect: program"). */
static inline void hostile_expect(long low, long high)
{
	const char *path = getenv("HOSTILE_EXPECT");
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;

	if (fd < 0)
		return;
	dprintf(fd, "births %ld..%ld\n", low, high);
	close(fd);
}

/* Executes this program again with an argument. */
static inline void again(char **argv, const char *arg)
{
	char *const args[] = { argv[0], (char *)(uintptr_t)arg, NULL };

	execv("/proc/self/exe", args);
	die("execv");
}

#endif
