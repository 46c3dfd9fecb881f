/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A signal handler forks after the first instruction of malloc(), after the second, and so on. Each
 * child returns from the handler, ends its malloc(), and must exit as usual. On x86-64, the CPU
 * raises the signal after a single step; elsewhere, nothing forks.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 500..1000 deaths 500
 * stackless: 0..500
 * lost: 0..500 */
#include "hostile.h"

#include <ucontext.h>

enum { STEPS = 500 };

static volatile int left; /* steps until the handler forks */
static volatile int in_child, bad;

#if defined(__x86_64__)
enum { SINGLE_STEP = 0x100 }; /* the flag TF */

static void on_step(int sig, siginfo_t *info, void *context)
{
	ucontext_t *c = context;
	int status;
	pid_t pid;

	(void)sig;
	(void)info;
	if (left--)
		return;
	c->uc_mcontext.gregs[REG_EFL] &= ~SINGLE_STEP;
	pid = fork();
	if (!pid)
		in_child = 1;
	else if (waitpid(pid, &status, 0) != pid || status)
		bad++;
}

static NOINLINE void *stepped_malloc(void)
{
	void *p;

	__asm__ volatile("pushfq; orq $0x100,(%%rsp); popfq" : : : "memory", "cc");
	p = malloc(MARK);
	__asm__ volatile("pushfq; andq $~0x100,(%%rsp); popfq" : : : "memory", "cc");
	return p;
}

static void catch_steps(void)
{
	struct sigaction a = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO };

	sigaction(SIGTRAP, &a, NULL);
}
#else
static NOINLINE void *stepped_malloc(void)
{
	return malloc(MARK);
}

static void catch_steps(void)
{
}
#endif

int main(void)
{
	catch_steps();
	for (int i = 0; i < STEPS; i++) {
		void *p;

		left = i;
		p = keep(stepped_malloc());
		if (in_child)
			_exit(0);
		free(p);
	}
	printf("%d bad children\n", bad);
	return 0;
}
