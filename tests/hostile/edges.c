/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program switches to stacks without telling the unwind tables, and allocates at their ends. By
 * the tables, the frames of the callers are above these stacks, where nothing may be read: the
 * memory is unmapped, protected, beyond the end of a file, or locked by a protection key.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 1600 deaths 1600 */
#include "hostile.h"

enum { PAGE = 4096, STACK = 2 * PAGE, ABOVE = 4 * PAGE, KINDS = 5 };

/* Returns the end of a new stack of this kind. */
static char *stack_end(int kind)
{
	int fd = memfd_create("stack", MFD_CLOEXEC);
	int flags = kind == 2 ? MAP_SHARED : kind == 3 ? MAP_PRIVATE : MAP_PRIVATE | MAP_ANONYMOUS;
	char *p;

	must(fd >= 0 && !ftruncate(fd, STACK + ABOVE), "memfd_create");
	p = mmap(NULL, STACK + ABOVE, PROT_READ | PROT_WRITE, flags,
		 kind == 2 || kind == 3 ? fd : -1, 0);
	must(p != MAP_FAILED, "mmap");
	memset(p, 1, STACK);
	must(!ftruncate(fd, STACK), "ftruncate"); /* for the kinds 2 and 3 */
	close(fd);
	if (kind == 0)
		munmap(p + STACK, ABOVE);
	if (kind == 1)
		mprotect(p + STACK, ABOVE, PROT_NONE);
	if (kind == 4)
		pkey_mprotect(p + STACK, ABOVE, PROT_READ | PROT_WRITE,
			      pkey_alloc(0, PKEY_DISABLE_ACCESS));
	return p + STACK;
}

/* Allocates and frees a block with this stack pointer. The compiler addresses the frame by the
 * stack pointer, or with `by_frame` by the frame pointer, which then has the same value. */
static NOINLINE void allocate_at(char *sp, int by_frame)
{
#if defined(__x86_64__)
	register char *to __asm__("r12") = sp;
	register long frame __asm__("r13") = by_frame;
	char room[2000];

	keep(room);
	__asm__ volatile("mov %%rsp, %%rbx\n\t"
			 "mov %%rbp, %%r15\n\t"
			 "test %[frame], %[frame]\n\t"
			 "cmovnz %[to], %%rbp\n\t"
			 "mov %[to], %%rsp\n\t"
			 "mov %[bytes], %%edi\n\t"
			 "call *malloc@GOTPCREL(%%rip)\n\t"
			 "mov %%rax, %%rdi\n\t"
			 "call *free@GOTPCREL(%%rip)\n\t"
			 "mov %%r15, %%rbp\n\t"
			 "mov %%rbx, %%rsp"
			 :
			 : [to] "r"(to), [frame] "r"(frame), [bytes] "i"(MARK)
			 : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11",
			   "r15", "memory", "cc");
	keep(room);
#else
	pairs(1);
#endif
}

int main(void)
{
	for (int kind = 0; kind < KINDS; kind++) {
		char *end = stack_end(kind);

		for (int i = 0; i < 160; i++) {
			allocate_at(end - 16 * i, 0);
			allocate_at(end - 16 * i, 1);
		}
	}
	puts("ok");
	return 0;
}
