/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory accesses that can be counted on paper. Each access is one instruction with every
 * compiler, because the elements are volatile.
 *
 *   accesses threads   two threads (or as many as $THREADS says), each with a block and a
 *                      share of a static array
 *   accesses alone     the same in the main thread
 *   accesses reuse     two kinds of blocks, which get the same memory in turn, and a realloc
 *                      that fails
 *   accesses vectors   loads of 16 bytes, of which every fourth lies in two lines
 *   accesses fork      a child that loads what its parent stored, and stores to its own block
 *   accesses exec      replaces itself by /bin/true, after an exec that fails
 *   accesses memfd     replaces itself by a copy of its program that is in no file, which loads
 *   accesses kill      is killed in the middle
 *   accesses waits     a thread loads, and waits while another one kills the process
 *   accesses forever   loads until it is killed
 *   accesses steady    loads the same elements for 3 s, and is killed
 *   accesses closes    loads after it has closed all descriptors, and in a child that has
 *                      given all their numbers to a file of its own
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N = 3000, ROUNDS = 40, THREADS_MOST = 64 };

static _Alignas(4096) volatile long array[N];

__attribute__((noinline)) static void store(volatile long *p)
{
	for (int i = 0; i < N; i++)
		p[i] = i;
}

__attribute__((noinline)) static void load(volatile long *p, int rounds)
{
	for (int r = 0; r < rounds; r++)
		for (int i = 0; i < N; i++)
			(void)p[i];
}

/* Thread function: makes a block and accesses it. The block is never freed, so each call has one at
 * another address. */
static void *work(void *arg)
{
	volatile long *block = malloc(N * sizeof(*block));

	if (!block)
		exit(1);
	store(block);
	load(block, ROUNDS);
	load(array, ROUNDS / 4);
	free((void *)block);
	return arg;
}

__attribute__((noinline)) static void touch(volatile long *p)
{
	*p = 1;
}

static sem_t waits;

/* The sleep is longer than a sampler may go without writing the few counts of this thread. */
static void *load_and_wait(void *arg)
{
	const struct timespec time = { 0, 200000000 };

	load(array, ROUNDS);
	nanosleep(&time, NULL);
	sem_post(&waits);
	for (;;)
		pause();
	return arg;
}

static void kill_waiting(void)
{
	pthread_t thread;

	if (sem_init(&waits, 0, 0) || pthread_create(&thread, NULL, load_and_wait, NULL))
		exit(1);
	while (sem_wait(&waits))
		;
	kill(getpid(), SIGKILL);
}

enum { DESCRIPTORS = 1024 };

/* Loads in a child whose descriptors all belong to one file of the program, and then in this
 * process without any descriptor. The file must stay empty. */
static void closes(void)
{
	const int mine = fileno(tmpfile());
	const pid_t child = fork();
	int status;

	if (child == 0) {
		for (int fd = 3; fd < DESCRIPTORS; fd++)
			dup2(mine, fd);
		load(array, ROUNDS);
		exit(0);
	}
	if (waitpid(child, &status, 0) != child || status != 0 || lseek(mine, 0, SEEK_END) != 0)
		exit(1);
	for (int fd = 3; fd < DESCRIPTORS; fd++)
		close(fd);
	load(array, ROUNDS);
}

/* Stores to both blocks by the same instruction. */
static void reuse(void)
{
	volatile size_t too_much =
		SIZE_MAX / 2; /* the realloc that fails must leave the block as it is */

	for (int i = 0; i < N; i++) {
		volatile long *first = malloc(10 * sizeof(*first)), *second;

		if (!first)
			exit(1);
		for (int at = 0; at < 10; at++)
			touch(&first[at]);
		free((void *)first);
		second = malloc(10 * sizeof(*second));
		if (!second)
			exit(1);
		for (int at = 0; at < 30; at++) {
			if (at == 15 && realloc((void *)second, too_much))
				exit(1);
			touch(&second[at % 10]);
		}
		free((void *)second);
	}
}

static void threads(void)
{
	const char *asked = getenv("THREADS");
	const int n = asked ? atoi(asked) : 2;
	pthread_t t[THREADS_MOST];

	store(array);
	for (int i = 0; i < n; i++)
		if (n > THREADS_MOST || pthread_create(&t[i], NULL, work, NULL))
			exit(1);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
}

/* An operand of 16 bytes at any address that is a multiple of 8, so it may lie in two cache lines.
 */
typedef long pair __attribute__((vector_size(16), aligned(8)));

__attribute__((noinline)) static void load_pairs(const volatile long *p)
{
	for (int i = 1; i < N - 1; i += 2)
		(void)*(const volatile pair *)(p + i);
}

static void children(void)
{
	store(array);
	if (!fork()) {
		long *block = malloc(N * sizeof(*block));

		load(array, ROUNDS);
		if (block)
			store(block);
		_exit(0);
	}
	wait(NULL);
	load(array, 1);
}

/*
 * Executes the same instructions in each round, also the call of kill() in the last one, so no new
 * instruction or address appears after the first round. A part ends with the first round that ends
 * later than seconds[part] after the start of the part, on a machine of any speed.
 */
static void load_until_killed(void)
{
	static const double seconds[] = { 1.5, 0, 1.5, 0, 0 };
	struct timespec t;
	double from = 0;
	int part = 0;

	clock_gettime(CLOCK_MONOTONIC, &t);
	for (from = (double)t.tv_sec + (double)t.tv_nsec / 1e9;;) {
		double passed;
		int over;

		load(array, 1);
		clock_gettime(CLOCK_MONOTONIC, &t);
		passed = (double)t.tv_sec + (double)t.tv_nsec / 1e9 - from;
		over = passed > seconds[part];
		from += over * passed;
		part += over;
		kill(getpid(), part / 4 * SIGKILL);
	}
}

/* Returns only if it fails. */
static int exec_copy(void)
{
	char name[] = "accesses", what[] = "alone", *const command[] = { name, what, NULL };
	char *const nothing[] = { NULL };
	const int file = open("/proc/self/exe", O_RDONLY);
	const int copy = memfd_create("copy", MFD_CLOEXEC);

	if (file < 0 || copy < 0)
		return 1;
	while (sendfile(copy, file, NULL, 1 << 20) > 0)
		;
	fexecve(copy, command, nothing);
	return 1;
}

int main(int argc, char **argv)
{
	char name[] = "true", *const command[] = { name, NULL };
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "threads")) {
		threads();
	} else if (!strcmp(what, "alone")) {
		store(array);
		work(NULL);
	} else if (!strcmp(what, "reuse")) {
		reuse();
	} else if (!strcmp(what, "vectors")) {
		load_pairs(array);
	} else if (!strcmp(what, "fork")) {
		children();
	} else if (!strcmp(what, "exec")) {
		store(array);
		execv("/nonexistent", command);
		load(array, ROUNDS);
		execv("/bin/true", command);
		return 1;
	} else if (!strcmp(what, "memfd")) {
		return exec_copy();
	} else if (!strcmp(what, "kill")) {
		store(array);
		load(array, 100 * ROUNDS);
		raise(SIGKILL);
	} else if (!strcmp(what, "waits")) {
		kill_waiting();
	} else if (!strcmp(what, "forever")) {
		for (;;)
			load(array, 1);
	} else if (!strcmp(what, "steady")) {
		load_until_killed();
	} else if (!strcmp(what, "closes")) {
		closes();
	} else {
		fprintf(stderr, "usage: accesses "
				"threads|alone|reuse|vectors|fork|exec|memfd|kill|waits|forever|"
				"steady|closes\n");
		return 2;
	}
	return 0;
}
