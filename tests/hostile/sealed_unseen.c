/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forbids itself system calls by an instruction of its own, which nobody sees: what the tracker
 * does for a few more blocks, on a deeper stack, and at the end, needs none.
 * expect: births 220 deaths 220 */
#include "seals.h"

static struct sock_filter rules[] = {
	LOAD_NR, ALLOW(SYS_write), ALLOW(SYS_exit_group), ALLOW(SYS_brk), KILL_OTHERS,
};
static struct sock_fprog filter = PROGRAM(rules);

static long bare_seccomp(long mode, long flags, const void *arg)
{
#if defined(__x86_64__)
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "0"(SYS_seccomp), "D"(mode), "S"(flags), "d"(arg)
			 : "rcx", "r11", "memory");
	return ret;
#else
	register long x8 __asm__("x8") = SYS_seccomp;
	register long x0 __asm__("x0") = mode;
	register long x1 __asm__("x1") = flags;
	register long x2 __asm__("x2") = (long)arg;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
	return x0;
#endif
}

static NOINLINE void deeper(int n)
{
	char room[3000];

	keep(room);
	pairs(1);
	if (n > 1)
		deeper(n - 1);
	keep(room);
}

int main(void)
{
	pairs(100);
	give_up_rights();
	must(!bare_seccomp(SECCOMP_SET_MODE_FILTER, 0, &filter), "seccomp");
	pairs(100);
	deeper(20);
	return write(1, "sealed\n", 7) == 7 ? 0 : 1;
}
