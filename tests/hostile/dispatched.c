/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program makes the kernel raise SIGSYS for each system call that libc does not make, as an
 * emulator does. The tracker's own system calls are among these.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 3000 deaths 3000 */
#include <link.h>
#include <sys/prctl.h>
#include <ucontext.h>

#include "hostile.h"

static volatile char selector;
static volatile sig_atomic_t signals;
static uintptr_t start, end;

static int find_libc(struct dl_phdr_info *info, size_t size, void *arg)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_LOAD && (p->p_flags & PF_X) &&
		    (uintptr_t)arg - at < p->p_memsz) {
			start = at;
			end = at + p->p_memsz;
		}
	}
	return 0;
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
#ifdef REG_RAX
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RAX] = -ENOSYS;
#endif
	signals++;
}

static void deep(int n)
{
	volatile char b[64];

	b[0] = (char)n;
	if (n)
		deep(n - 1);
	else
		pairs(10);
	b[1] = b[0];
}

int main(void)
{
	struct sigaction a = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };

	dl_iterate_phdr(find_libc, (void *)&getpid);
	sigaction(SIGSYS, &a, NULL);
	pairs(1000);
	if (prctl(59 /* PR_SET_SYSCALL_USER_DISPATCH */, 1, start, end - start, &selector))
		die("prctl");
	selector = 1; /* from here on, a system call that is not made by libc raises SIGSYS */
	for (int i = 0; i < 100; i++)
		deep(i);
	pairs(1000);
	free(keep(malloc(1 << 20)));
	selector = 0;
	printf("%d signals\n", (int)signals);
	return 0;
}
