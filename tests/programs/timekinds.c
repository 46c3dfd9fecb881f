/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timekinds KIND: spends its time on one kind of work, in functions with the name of this kind.
 *
 * spin      one thread computes, the other waits for its flag in a loop with a fence
 * mutex     two threads take the same lock for a short time, again and again
 * barrier   two threads meet at a barrier after short pieces of work
 * compute   arithmetic on a table of 2 KiB
 * stream    arithmetic on 64 MiB that are read sequentially
 * system    reads /dev/zero in blocks, so that most of the time is certainly in the kernel, also
 *           where it takes long to enter it
 * gather    reads 128 MiB at random
 * atomic    one thread increments a word that no other one uses
 * sharing   two threads each increment a word of their own atomically, in one cache line
 * padding   the same, in two cache lines
 * fault     touches new memory
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define HIDE __attribute__((noinline))

/* Returns the time of a CPU clock in seconds. The programs work for a given CPU time, so that a
 * busy machine has as many samples as an idle one. */
static double cpu_seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool more(double seconds)
{
	return cpu_seconds(CLOCK_THREAD_CPUTIME_ID) < seconds;
}

enum { TABLE = 256, STREAM = 1 << 23 };
static double table[TABLE], *stream, seconds = 0.5;
static uint32_t *places;
static atomic_int flag;
static atomic_long counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static long guarded;

HIDE static double compute(void)
{
	double x = 1;

	while (more(seconds))
		for (int i = 0; i < 1 << 16; i++)
			x = x * 0.999 + table[i & (TABLE - 1)] / (x + 2);
	return x;
}

/* A division per element takes longer than reading the element, so the loop does not wait for
 * memory. */
HIDE static double compute_stream(void)
{
	double x = 1;

	while (more(seconds))
		for (int i = 0; i < STREAM; i++)
			x = stream[i] / (x + 2);
	return x;
}

HIDE static double gather(void)
{
	double sum = 0;

	while (more(seconds))
		for (uint32_t i = 0; i < 1 << 20; i++)
			sum += stream[(places[i] ^ i * 0x9e3779b1u) & (STREAM - 1)];
	return sum;
}

HIDE static void spin_wait(void)
{
	while (!atomic_load_explicit(&flag, memory_order_relaxed))
		atomic_thread_fence(memory_order_seq_cst);
}

HIDE static void take_lock(void)
{
	for (int i = 0; i < 20000; i++) {
		pthread_mutex_lock(&lock);
		guarded++;
		pthread_mutex_unlock(&lock);
	}
}

HIDE static void count_atomically(void)
{
	for (int i = 0; i < 100000; i++)
		atomic_fetch_add(&counter, 1);
}

enum { ROUNDS = 1500, ADDITIONS = 10000, LINE = 64 };

/* What two threads share. Each increments a word in `words`; the two words are `apart` bytes apart,
 * so they lie in one cache line or in two. */
static struct {
	_Alignas(2 * LINE) char words[2 * LINE];
	_Alignas(LINE) struct {
		_Alignas(LINE) atomic_int round;
		double seconds; /* CPU time of all its calls of add_to() */
	} thread[2];
	size_t apart;
} both;

HIDE static void add_to(atomic_long *word)
{
	for (int i = 0; i < ADDITIONS; i++)
		atomic_fetch_add(word, i);
}

/* Returns the CPU time that it takes. */
static double add_to_own(int me)
{
	const double start = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);

	add_to((atomic_long *)(both.words + (size_t)me * both.apart));
	return cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - start;
}

/* One of two threads that add at the same time: before each round, it waits until the other one is
 * there, too, also on a busy machine. */
HIDE static void share_line(int me)
{
	const int other = !me;

	for (int i = 1; i <= ROUNDS; i++) {
		atomic_store(&both.thread[me].round, i);
		while (atomic_load_explicit(&both.thread[other].round, memory_order_relaxed) < i)
			atomic_thread_fence(memory_order_seq_cst);
		both.thread[me].seconds += add_to_own(me);
	}
}

static void *share_second(void *unused)
{
	share_line(1);
	return unused;
}

/* Runs share_line() in two threads, on two CPUs if possible. Prints which part of the time in
 * add_to() is due to the other thread: add_to() takes so much longer than when one thread runs it
 * alone. This depends on how fast the machine moves a line between its caches. Prints "busy" if the
 * threads had to share a CPU, so that they seldom wrote to the line at the same time. A high
 * priority, which needs privileges, makes this unlikely on a busy machine. */
static void share(bool padded)
{
	struct timespec start, end;
	double wall, alone = 1, together;
	pthread_t thread;

	both.apart = padded ? LINE : sizeof(long);
	(void)setpriority(PRIO_PROCESS, 0, -20);
	for (int i = 0; i < 20; i++) {
		const double once = add_to_own(0);

		alone = once < alone ? once : alone;
	}
	clock_gettime(CLOCK_MONOTONIC, &start);
	pthread_create(&thread, NULL, share_second, NULL);
	share_line(0);
	pthread_join(thread, NULL);
	clock_gettime(CLOCK_MONOTONIC, &end);
	wall = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
	if (cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) < 1.7 * wall)
		printf("busy\n");
	together = (both.thread[0].seconds + both.thread[1].seconds) / (2 * ROUNDS);
	printf("shared %.0f %%\n", 100 * (1 - alone / together));
}

HIDE static void read_bytes(void)
{
	int zero = open("/dev/zero", O_RDONLY);
	static char bytes[1 << 20];

	while (more(seconds))
		for (int i = 0; i < 100; i++)
			if (read(zero, bytes, sizeof(bytes)) != sizeof(bytes))
				abort();
	close(zero);
}

HIDE static void touch_memory(void)
{
	enum { BYTES = 16 << 20 };

	while (more(seconds)) {
		char *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			       0);

		if (p == MAP_FAILED)
			abort();
		for (int i = 0; i < BYTES; i += 4096)
			p[i] = 1;
		munmap(p, BYTES);
	}
}

/* One of two threads that meet at a barrier. No thread changes the flag between the two barriers of
 * a round, so both read the same value and leave in the same round. */
HIDE static void meet(bool first)
{
	bool done = false;

	while (!done) {
		if (first)
			atomic_store(&flag, !more(seconds));
		pthread_barrier_wait(&barrier);
		done = atomic_load(&flag);
		pthread_barrier_wait(&barrier);
	}
}

static void *second(void *what)
{
	const char *kind = what;

	if (!strcmp(kind, "spin"))
		spin_wait();
	else if (!strcmp(kind, "mutex"))
		while (more(seconds))
			take_lock();
	else
		meet(false);
	return NULL;
}

static void with_second(const char *kind)
{
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, second, (void *)kind);
	if (!strcmp(kind, "spin")) {
		compute();
		atomic_store(&flag, 1);
	} else if (!strcmp(kind, "barrier")) {
		meet(true);
	} else {
		second((void *)kind);
	}
	pthread_join(thread, NULL);
}

static void fill(void)
{
	stream = malloc(STREAM * sizeof(*stream));
	places = malloc((1 << 20) * sizeof(*places));
	for (int i = 0; i < STREAM; i++)
		stream[i] = 1;
	for (uint32_t i = 0; i < 1 << 20; i++)
		places[i] = i * 2246822519u;
	/* long enough that the stores above are a small part of the run, also where page faults
	 * are slow */
	seconds = 3.0 + cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	double result = 0;

	for (int i = 0; i < TABLE; i++)
		table[i] = i;
	if (!strcmp(kind, "compute")) {
		result = compute();
	} else if (!strcmp(kind, "stream")) {
		fill();
		result = compute_stream();
	} else if (!strcmp(kind, "gather")) {
		fill();
		result = gather();
	} else if (!strcmp(kind, "system")) {
		read_bytes();
	} else if (!strcmp(kind, "fault")) {
		touch_memory();
	} else if (!strcmp(kind, "atomic")) {
		while (more(seconds))
			count_atomically();
	} else if (!strcmp(kind, "sharing") || !strcmp(kind, "padding")) {
		share(*kind == 'p');
	} else if (!strcmp(kind, "spin") || !strcmp(kind, "mutex") || !strcmp(kind, "barrier")) {
		with_second(kind);
	} else {
		fprintf(stderr, "timekinds: which kind?\n");
		return 2;
	}
	printf("%g\n", result + (double)guarded);
	return 0;
}
