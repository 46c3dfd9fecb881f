/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes system calls with the program's own instruction instead of libc's functions, so the
 * tracker cannot intercept them. */
#ifndef MEMDB_TESTS_BARE_H
#define MEMDB_TESTS_BARE_H

#include <sys/syscall.h>

static inline long bare_call(long nr, long a, long b, long c)
{
#if defined(__x86_64__)
	register long r10 __asm__("r10") = 0;
	register long r8 __asm__("r8") = 0;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "0"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
			 : "rcx", "r11", "memory");
	return ret;
#else
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = 0;
	register long x4 __asm__("x4") = 0;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4)
			 : "memory");
	return x0;
#endif
}

#endif
