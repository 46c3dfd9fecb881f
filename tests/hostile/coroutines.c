/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Coroutines: the program allocates stacks and switches between them with swapcontext().
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 2000 deaths 2000 */
#include <ucontext.h>

#include "hostile.h"

static ucontext_t back, there[4];

static void run(void)
{
	for (;;) {
		pairs(5);
		for (int i = 0; i < 4; i++) {
			volatile char *here = __builtin_frame_address(0);

			if (here > (char *)there[i].uc_stack.ss_sp &&
			    here < (char *)there[i].uc_stack.ss_sp + there[i].uc_stack.ss_size)
				swapcontext(&there[i], &back);
		}
	}
}

int main(void)
{
	for (int i = 0; i < 4; i++) {
		getcontext(&there[i]);
		there[i].uc_stack.ss_size = 32 << 10;
		there[i].uc_stack.ss_sp = malloc(32 << 10);
		makecontext(&there[i], run, 0);
	}
	for (int i = 0; i < 400; i++)
		swapcontext(&back, &there[i % 4]);
	puts("coroutines");
	return 0;
}
