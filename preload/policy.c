/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NUMA policy: the call, then a record of what was asked and what came of it, and where the pages
 * are that it moved. The policy calls have no definition in libc; libnuma's are the bare system
 * calls, and so are ours.
 */
#include <errno.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "affinity.h"
#include "policy.h"
#include "rawcall.h"
#include "real.h"
#include "record.h"

long mbind(void *at, unsigned long size, int mode, const unsigned long *mask, unsigned long bits,
	   unsigned flags);
long set_mempolicy(int mode, const unsigned long *mask, unsigned long bits);
long migrate_pages(int pid, unsigned long bits, const unsigned long *from, const unsigned long *to);
long move_pages(int pid, unsigned long n, void **pages, const int *nodes, int *status, int flags);

static long with_errno(long ret)
{
	if (!rawcall_failed(ret))
		return ret;
	errno = (int)-ret;
	return -1;
}

/* ret is the kernel's; the mask was readable when the call succeeded. */
ALWAYS_INLINE void record_policy(enum tl_function fn, struct track_event ev, long ret,
				 const unsigned long *mask, unsigned long bits)
{
	struct thread *t = thread_get();

	if (!t)
		return;
	ev.ticks = clock_ticks();
	ev.result = rawcall_failed(ret) ? (uint32_t)-ret : 0;
	ev.extra = !ev.result && mask ? (uint32_t)((bits + 63) / 64) : 0;
	ev.stack = record_stack(t);
	log_event(t, &ev, TL_POLICY, fn, mask, 8);
}

EXPORT long mbind(void *at, unsigned long size, int mode, const unsigned long *mask,
		  unsigned long bits, unsigned flags)
{
	long ret = rawcall6(SYS_mbind, (long)at, (long)size, mode, (long)mask, (long)bits, flags);

	record_policy(TL_FN_MBIND,
		      (struct track_event){ .address = (uint64_t)(uintptr_t)at,
					    .size = size,
					    .mode = (uint32_t)mode,
					    .flags = flags },
		      ret, mask, bits);
	return with_errno(ret);
}

EXPORT long set_mempolicy(int mode, const unsigned long *mask, unsigned long bits)
{
	long ret = rawcall4(SYS_set_mempolicy, mode, (long)mask, (long)bits, 0);

	record_policy(TL_FN_SET_MEMPOLICY, (struct track_event){ .mode = (uint32_t)mode }, ret,
		      mask, bits);
	return with_errno(ret);
}

EXPORT long migrate_pages(int pid, unsigned long bits, const unsigned long *from,
			  const unsigned long *to)
{
	long ret = rawcall4(SYS_migrate_pages, pid, (long)bits, (long)from, (long)to);

	record_policy(TL_FN_MIGRATE_PAGES, (struct track_event){ .subject = (uint32_t)pid }, ret,
		      to, bits);
	return with_errno(ret);
}

/* A call that only asks is not recorded. */
EXPORT long move_pages(int pid, unsigned long n, void **pages, const int *nodes, int *status,
		       int flags)
{
	long ret = rawcall6(SYS_move_pages, pid, (long)n, (long)pages, (long)nodes, (long)status,
			    flags);
	unsigned long mask[4] = { 0 };

	for (unsigned long i = 0; ret >= 0 && nodes && i < n; i++)
		if (nodes[i] >= 0 && nodes[i] < 256)
			mask[nodes[i] / 64] |= 1ul << nodes[i] % 64;
	if (nodes)
		record_policy(TL_FN_MOVE_PAGES,
			      (struct track_event){
				      .address = ret >= 0 && n ? (uint64_t)(uintptr_t)pages[0] : 0,
				      .size = n * 4096,
				      .subject = (uint32_t)pid,
				      .flags = (uint32_t)flags },
			      ret, mask, 256);
	return with_errno(ret);
}

EXPORT int madvise(void *at, size_t size, int advice)
{
	int ret = -1;

	if (real_ready() && real.madvise)
		ret = real.madvise(at, size, advice);
	record_policy(TL_FN_MADVISE,
		      (struct track_event){ .address = (uint64_t)(uintptr_t)at,
					    .size = size,
					    .mode = (uint32_t)advice },
		      ret ? -errno : 0, NULL, 0);
	return ret;
}

EXPORT int prctl(int what, ...)
{
	unsigned long a[4];
	va_list ap;
	int ret;

	va_start(ap, what);
	for (int i = 0; i < 4; i++)
		a[i] = va_arg(ap, unsigned long);
	va_end(ap);
	if (!real_ready() || !real.prctl)
		return -1;
	if (what == PR_SET_SECCOMP) {
		thread_get();
		image_seal();
	}
	ret = real.prctl(what, a[0], a[1], a[2], a[3]);
	if (!ret && what == PR_SET_NAME)
		affinity_record_name(0, (const char *)a[0]);
	return ret;
}

/* The calls that libraries make past the functions above. */
EXPORT long syscall(long nr, ...)
{
	long a[6];
	va_list ap;

	va_start(ap, nr);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	switch (nr) {
	case SYS_mbind:
		return mbind((void *)a[0], (unsigned long)a[1], (int)a[2], (unsigned long *)a[3],
			     (unsigned long)a[4], (unsigned)a[5]);
	case SYS_set_mempolicy:
		return set_mempolicy((int)a[0], (unsigned long *)a[1], (unsigned long)a[2]);
	case SYS_migrate_pages:
		return migrate_pages((int)a[0], (unsigned long)a[1], (unsigned long *)a[2],
				     (unsigned long *)a[3]);
	case SYS_move_pages:
		return move_pages((int)a[0], (unsigned long)a[1], (void **)a[2], (int *)a[3],
				  (int *)a[4], (int)a[5]);
	case SYS_seccomp:
		if (a[0] <= SECCOMP_SET_MODE_FILTER) {
			thread_get();
			image_seal();
		}
		break;
	case SYS_mlockall:
		image_trim();
		break;
	}
	if (!real_ready() || !real.syscall)
		return with_errno(rawcall6(nr, a[0], a[1], a[2], a[3], a[4], a[5]));
	return real.syscall(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
}
