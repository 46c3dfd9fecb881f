/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses thread-local variables and stacks of threads that never allocate: of the first thread,
 * of two others, of a thread made by clone() that has neither libc's stack nor its own thread-local
 * variables, and of a process that one of the threads forks. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 3000, STACK = 256 << 10 };

static _Thread_local volatile int counters[N];
static volatile int sum, word = 1;

/* not inlined, so that the accesses have a function */
__attribute__((noinline)) static void use_thread_local(void)
{
	for (int i = 0; i < N; i++)
		counters[i] = i;
}

__attribute__((noinline)) static void use_stack(void)
{
	volatile int local[N];

	for (int i = 0; i < N; i++)
		local[i] = i;
	sum = local[N / 2];
}

static void *work(void *unused)
{
	use_thread_local();
	use_stack();
	return NULL;
}

static void *work_and_fork(void *unused)
{
	static int status;
	pid_t child;

	work(NULL);
	child = fork();
	if (!child) {
		work(NULL);
		_exit(0);
	}
	return child < 0 || waitpid(child, &status, 0) != child || status ? &status : NULL;
}

/* The thread of clone() uses the thread pointer of its creator, so it must not call libc. */
static int work_alone(void *unused)
{
	use_stack();
	return 0;
}

/* Runs work_alone() on a stack without a guard page. */
static int run_clone(void)
{
	char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (stack == MAP_FAILED ||
	    clone(work_alone, stack + STACK,
		  CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
			  CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID,
		  NULL, &word, NULL, &word) < 0)
		return 1;
	/* the kernel sets it to 0 when the thread has ended */
	for (int now; (now = word);)
		syscall(SYS_futex, &word, FUTEX_WAIT, now, NULL, NULL, 0);
	return 0;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	void *failed[2];

	work(NULL);
	if (pthread_create(&threads[0], NULL, work, NULL) ||
	    pthread_create(&threads[1], NULL, work_and_fork, NULL) ||
	    pthread_join(threads[0], &failed[0]) || pthread_join(threads[1], &failed[1]))
		return 1;
	return failed[0] || failed[1] || (argc > 1 && !strcmp(argv[1], "clone") && run_clone());
}
