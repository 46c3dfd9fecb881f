/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Assembler code calls functions of libc with a stack pointer that is not a multiple of 16. libc's
 * functions permit it, so the tracker's must, too.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 60030 deaths 60030
 * events: calloc 20000..20100 realloc 60000..60100 mmap 1..9 munmap 1..9 madvise 1 */
#include "hostile.h"

/* Calls the function with the stack pointer 8 bytes beside a multiple of 16. */
static NOINLINE long call(void *function, long a, long b, long c, long d)
{
#if defined(__x86_64__)
	register long rcx __asm__("rcx") = d;
	register long r8 __asm__("r8") = -1;
	register long r9 __asm__("r9") = 0;
	long ret = 0;

	__asm__ volatile("mov %%rsp, %%rbx\n\t"
			 "and $-16, %%rsp\n\t"
			 "sub $136, %%rsp\n\t" /* beyond the red zone */
			 "call *%[function]\n\t"
			 "mov %%rbx, %%rsp"
			 : "+a"(ret), "+D"(a), "+S"(b), "+d"(c), "+r"(rcx), "+r"(r8), "+r"(r9)
			 : [function] "r"(function)
			 : "rbx", "r10", "r11", "memory", "cc");
	return ret;
#else
	long (*f)(long, long, long, long, long, long) = function;

	return f(a, b, c, d, -1, 0);
#endif
}

static void *blocks(void *arg)
{
	free(keep(malloc(1))); /* the first call of a thread, for which libc needs the alignment */
	for (int i = 0; i < 10000; i++) {
		long p = call(malloc, MARK, 0, 0, 0);

		p = call(realloc, p, 2 * MARK, 0, 0);
		call(free, p, 0, 0, 0);
		p = call(calloc, MARK, 1, 0, 0);
		call(free, p, 0, 0, 0);
		p = call(realloc, 0, MARK, 0, 0);
		call(free, p, 0, 0, 0);
	}
	return arg;
}

static void mappings(void)
{
	long at = call(mmap, 0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS);

	must((void *)at != MAP_FAILED, "mmap");
	must(!call(madvise, at, 1 << 20, MADV_NOHUGEPAGE, 0), "madvise");
	must(!call(munmap, at, 1 << 20, 0, 0), "munmap");
}

int main(int argc, char **argv)
{
	char child[] = "child", *args[] = { argv[0], child, NULL }, *env[] = { NULL };
	pthread_t t;
	pid_t pid;

	if (argc > 1) {
		pairs(10);
		return 0;
	}
	blocks(NULL);
	mappings();
	start_threads(&t, 1, blocks, NULL);
	join_threads(&t, 1);
	pid = fork();
	if (!pid) {
		for (int i = 0; i < 20; i++)
			call(free, call(malloc, MARK, 0, 0, 0), 0, 0, 0);
		call(execve, (long)"/proc/self/exe", (long)args, (long)env, 0);
		_exit(1);
	}
	wait_for(pid);
	puts("ok");
	return 0;
}
