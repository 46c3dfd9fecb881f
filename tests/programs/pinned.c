/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that are pinned and named in every possible way. Prints "thread NAME TID CPUS" for
 * each; CPUS is a number or "all".
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_barrier_t born, told;
static pid_t tids[3];

static void allocate(void)
{
	void *volatile p = malloc(100);

	free(p);
}

static cpu_set_t one(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return set;
}

/* The function of threads 0 to 2. Threads 0 and 2 allocate at once. When all have met at the
 * barrier `born`, the main thread pins thread 1 and names all three; then they meet at `told` and
 * allocate. */
static void *run(void *arg)
{
	long which = (long)arg;

	tids[which] = (pid_t)syscall(SYS_gettid);
	if (which != 1)
		allocate();
	pthread_barrier_wait(&born);
	pthread_barrier_wait(&told);
	allocate();
	return NULL;
}

/* Forks a child that allocates, and pins it to these CPUs from the parent. */
static pid_t child(const cpu_set_t *set, int from[2])
{
	pid_t pid = fork();
	char c;

	if (!pid) {
		allocate();
		_exit(read(from[0], &c, 1) != 1);
	}
	sched_setaffinity(pid, sizeof(*set), set);
	return pid;
}

int main(void)
{
	cpu_set_t set = one(0), other = one(1);
	pthread_attr_t attr;
	pthread_t t[3];
	int pipes[2];
	pid_t pid;

	pthread_barrier_init(&born, NULL, 4);
	pthread_barrier_init(&told, NULL, 4);
	pthread_attr_init(&attr);
	if (pipe(pipes) || pthread_attr_setaffinity_np(&attr, sizeof(other), &other))
		return 1;
	/* t[0] is pinned by an attribute when it is created, t[1] by the main thread before t[1]
	 * allocates, and t[2] not at all */
	pthread_create(&t[0], &attr, run, (void *)0);
	pthread_create(&t[1], NULL, run, (void *)1);
	pthread_create(&t[2], NULL, run, (void *)2);
	pthread_barrier_wait(&born);
	if (pthread_setaffinity_np(t[1], sizeof(other), &other) ||
	    pthread_setname_np(t[0], "attribute") || pthread_setname_np(t[1], "other") ||
	    pthread_setname_np(t[2], "free"))
		return 1;
	pthread_barrier_wait(&told);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	pid = child(&other, pipes);
	sched_setaffinity(0, sizeof(set), &set);
	prctl(PR_SET_NAME, "main");
	printf("thread attribute %d 1\nthread other %d 1\nthread free %d all\n", tids[0], tids[1],
	       tids[2]);
	printf("thread main %d 0\n", (int)getpid());
	printf("child %d\n", (int)pid);
	if (write(pipes[1], "x", 1) != 1)
		return 1;
	return waitpid(pid, NULL, 0) != pid;
}
