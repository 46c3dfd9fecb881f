/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes system calls without libc. These calls do not set errno, are not cancellation points and
 * cannot be interposed, so a hook may use them anywhere. They return the result of the kernel: a
 * negative errno on failure.
 *
 * After the program has forbidden itself system calls, the tracker makes none of its own:
 * rawcall4() and rawcall6() fail with -EPERM, which every caller handles. rawcall_for_program()
 * passes on the calls that the program itself requests. Their time in the kernel belongs to the
 * program; the time of all other calls from this library belongs to the tracker. The importer
 * recognizes the program's calls by the name of rawcall_for_program() in the library
 * (TRACK_PROGRAM_CALL), so the function is exported: stripping the library must not remove the
 * name.
 */
#ifndef MEMDB_PRELOAD_RAWCALL_H
#define MEMDB_PRELOAD_RAWCALL_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "likely.h"
#include "track_format.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

extern bool rawcall_sealed __attribute__((visibility("hidden")));

long rawcall_for_program(long nr, long a, long b, long c, long d, long e,
			 long f) __asm__(TRACK_PROGRAM_CALL) __attribute__((visibility("default")));

static inline long rawcall(long nr, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "0"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
#else
#error "system calls are written for x86-64 and AArch64"
#endif
}

/* A range of addresses [at, at + bytes). */
struct rawcall_range {
	uint64_t at, bytes;
};

/* Add a range to the list of the tracker's own mappings, or remove a range from it. Called by
 * rawcall6() after mmap() and mremap(), and before munmap(). A mapping at a fixed address
 * (MAP_FIXED) always replaces one of the tracker, whose range is in the list already. */
void rawcall_mapped(uint64_t at, uint64_t bytes, bool replaces)
	__attribute__((visibility("hidden")));
void rawcall_unmapped(uint64_t at, uint64_t bytes) __attribute__((visibility("hidden")));

/* Sets *is_own to whether the byte at the address `at` is in a mapping of the tracker. Returns the
 * end of the range for which this stays the same, at most `end`. */
uint64_t rawcall_own_until(uint64_t at, uint64_t end, bool *is_own)
	__attribute__((visibility("hidden")));

/* Unlocks (munlock) the memory of all mappings of the tracker. With later_too, future mappings will
 * also be unlocked, as soon as they are made. */
void rawcall_unlock_own(bool later_too) __attribute__((visibility("hidden")));

static inline int rawcall_failed(long ret);

static inline long rawcall6(long nr, long a, long b, long c, long d, long e, long f)
{
	long ret;

	if (unlikely(rawcall_sealed))
		return -EPERM;
	/* before the call, because after it another thread may map memory there */
	if (nr == SYS_munmap)
		rawcall_unmapped((uint64_t)a, (uint64_t)b);
	ret = rawcall(nr, a, b, c, d, e, f);
	if (nr == SYS_mmap && !rawcall_failed(ret))
		rawcall_mapped((uint64_t)ret, (uint64_t)b, d & MAP_FIXED);
	if (nr == SYS_mremap && !rawcall_failed(ret))
		rawcall_mapped((uint64_t)ret, (uint64_t)c, d & MREMAP_FIXED);
	return ret;
}

static inline long rawcall4(long nr, long a, long b, long c, long d)
{
	return rawcall6(nr, a, b, c, d, 0, 0);
}

/*
 * Makes the pages of memory that is about to be used here and there present with one call. That is
 * cheaper than two page faults for each page, one when it is first read and one when it is first
 * written, and much cheaper if the recorder records page faults. Does nothing on kernels before
 * 5.14, and where pages are larger than 4 KiB.
 */
static inline void rawcall_populate(const void *at, uint64_t bytes)
{
	uint64_t begin = (uint64_t)(uintptr_t)at & ~UINT64_C(4095);

	rawcall4(SYS_madvise, (long)begin, (long)((uint64_t)(uintptr_t)at + bytes - begin),
		 MADV_POPULATE_WRITE, 0);
}

/* Is the result a negative errno? */
static inline int rawcall_failed(long ret)
{
	return ret < 0 && ret >= -4095;
}

/* Returns what libc's function for a system call with this result returns, and sets errno. */
static inline long rawcall_result(long ret)
{
	if (!rawcall_failed(ret))
		return ret;
	errno = (int)-ret;
	return -1;
}

#endif
