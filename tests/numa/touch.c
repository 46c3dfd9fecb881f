/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * First touches of each kind of memory. Each is made by one thread that is bound to the first
 * CPU of a node:
 *
 * static_table: a static variable, thread 1
 * mapped: an anonymous mmap, thread 2
 * cleared: a block from calloc, thread 3
 * on_stack: a local array of thread 1
 * from_kernel: a block that the kernel fills in a read(2) of thread 2
 * copied: a block that the main thread wrote, then written by a child on node 3
 *
 * After each touch, the program prints "array NAME ADDRESS BYTES PID TID 0 0", and "home ADDRESS
 * NODE" of each page, according to the kernel.
 */
#include <fcntl.h>
#include <numaif.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "answer.h"

enum { BYTES = 256 * 1024, PAGE = 4096 };

static char static_table[BYTES] __attribute__((aligned(PAGE)));
static char *mapped, *cleared, *from_kernel, *copied;

/* Binds the thread to the node's CPU: each node of the machine has one CPU, with the same number.
 */
static void run_on_node(int node)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(node, &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		perror("sched_setaffinity");
		exit(2);
	}
}

static void tell(const char *name, char *p)
{
	tell_array(name, p, BYTES, gettid_now(), 0, 0);
	for (size_t i = 0; i < BYTES; i += PAGE) {
		void *page = p + i;
		int node = -1;

		if (move_pages(0, 1, &page, NULL, &node, 0))
			exit(2);
		printf("home %" PRIuPTR " %d\n", (uintptr_t)page, node);
	}
	fflush(stdout);
}

NOINLINE static void touch_static(void)
{
	for (size_t i = 0; i < BYTES; i += PAGE)
		*(volatile char *)(static_table + i) = 1; /* touch static_table */
	tell("static_table", static_table);
}

NOINLINE static void touch_stack(void)
{
	char on_stack[BYTES + PAGE],
		*p = (char *)(((uintptr_t)on_stack + PAGE - 1) & -(uintptr_t)PAGE);

	for (size_t i = BYTES; i; i -= PAGE)
		*(volatile char *)(p + i - PAGE) = 1; /* touch on_stack */
	tell("on_stack", p);
}

NOINLINE static void touch_mapped(void)
{
	for (size_t i = 0; i < BYTES; i += PAGE)
		*(volatile char *)(mapped + i) = 1; /* touch mapped */
	tell("mapped", mapped);
}

NOINLINE static void touch_cleared(void)
{
	for (size_t i = 0; i < BYTES; i += PAGE)
		*(volatile char *)(cleared + i) = 1; /* touch cleared */
	tell("cleared", cleared);
}

NOINLINE static void read_from_kernel(void)
{
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	if (read(fd, from_kernel, BYTES) != BYTES) /* touch from_kernel */
		exit(2);
	close(fd);
	tell("from_kernel", from_kernel);
}

NOINLINE static void touch_copied(void)
{
	for (size_t i = 0; i < BYTES; i += PAGE)
		*(volatile char *)(copied + i) = 2; /* touch copied */
	tell("copied", copied);
}

static void *worker(void *arg)
{
	int node = (int)(intptr_t)arg;

	run_on_node(node);
	if (node == 1) {
		touch_static();
		touch_stack();
	} else if (node == 2) {
		touch_mapped();
		read_from_kernel();
	} else {
		touch_cleared();
	}
	return NULL;
}

/* Returns the first page boundary in a block. */
static char *pages(char *p)
{
	return (char *)(((uintptr_t)must_have(p) + PAGE - 1) & -(uintptr_t)PAGE);
}

int main(void)
{
	pthread_t thread;
	pid_t child;

	run_on_node(0);
	mapped = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	cleared = pages(calloc(1, BYTES + PAGE));
	from_kernel = pages(malloc(BYTES + PAGE));
	copied = pages(malloc(BYTES + PAGE));
	for (intptr_t node = 1; node < 4; node++) {
		if (pthread_create(&thread, NULL, worker, (void *)node))
			return 2;
		pthread_join(thread, NULL);
	}
	memset(copied, 1, BYTES);
	child = fork();
	if (!child) {
		run_on_node(3);
		touch_copied();
		_exit(0);
	}
	return waitpid(child, NULL, 0) == child ? 0 : 2;
}
