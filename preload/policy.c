/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hooks for NUMA policy. Each hook makes the call, then records the arguments and the result, and
 * the home nodes of moved pages. libc does not define mbind, set_mempolicy, migrate_pages and
 * move_pages, and libnuma defines them as plain system calls. So their hooks make the system call
 * themselves, and do not search for a real function. The hooks of libc's madvise, prctl and syscall
 * call the real function. */
#include <errno.h>
#include <linux/mempolicy.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "affinity.h"
#include "exec.h"
#include "homes.h"
#include "rawcall.h"
#include "real.h"
#include "record.h"
#include "seal.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* since Linux 6.1; older headers lack it */
#endif

long mbind(void *at, unsigned long size, int mode, const unsigned long *mask, unsigned long bits,
	   unsigned flags);
long set_mempolicy(int mode, const unsigned long *mask, unsigned long bits);
long migrate_pages(int pid, unsigned long bits, const unsigned long *from, const unsigned long *to);
long move_pages(int pid, unsigned long n, void **pages, const int *nodes, int *status, int flags);

/* Returns the number of words that the kernel reads of a mask. `bits` is the argument maxnode of
 * the system call: one more than the number of bits that the kernel reads. */
static uint32_t mask_words(const unsigned long *mask, unsigned long bits)
{
	return mask && bits > 1 ? (uint32_t)((bits - 1 + 63) / 64) : 0;
}

static bool is_own(uint32_t pid)
{
	return !pid || pid == image.pid;
}

/* Records a policy call. ret is the kernel's result. The mask is read only if the call succeeded:
 * then it is known to be readable. ev.ticks is a time before the call, because other threads may
 * see moved pages while the call runs. */
ALWAYS_INLINE void record_policy(enum tl_function fn, struct track_event ev, long ret,
				 const unsigned long *mask, unsigned long bits)
{
	struct thread *t = thread_get();

	if (!t)
		return;
	ev.result = rawcall_failed(ret) ? (uint32_t)-ret : 0;
	ev.extra = ev.result ? 0 : mask_words(mask, bits);
	ev.stack = record_stack(t);
	log_event(t, &ev, TL_POLICY, fn, mask, 8);
}

ALWAYS_INLINE long on_mbind(void *at, unsigned long size, int mode, const unsigned long *mask,
			    unsigned long bits, unsigned flags)
{
	uint64_t began = clock_ticks();
	long ret = rawcall_for_program(SYS_mbind, (long)at, (long)size, mode, (long)mask,
				       (long)bits, flags);

	record_policy(TL_FN_MBIND,
		      (struct track_event){ .ticks = began,
					    .address = (uint64_t)(uintptr_t)at,
					    .size = size,
					    .mode = (uint32_t)mode,
					    .flags = flags },
		      ret, mask, bits);
	if (!ret && flags & (MPOL_MF_MOVE | MPOL_MF_MOVE_ALL) && thread_get())
		homes_record(thread_self, 0, (uint64_t)(uintptr_t)at, size);
	return rawcall_result(ret);
}

EXPORT long mbind(void *at, unsigned long size, int mode, const unsigned long *mask,
		  unsigned long bits, unsigned flags)
{
	return on_mbind(at, size, mode, mask, bits, flags);
}

ALWAYS_INLINE long on_set_mempolicy(int mode, const unsigned long *mask, unsigned long bits)
{
	uint64_t began = clock_ticks();
	long ret = rawcall_for_program(SYS_set_mempolicy, mode, (long)mask, (long)bits, 0, 0, 0);

	record_policy(TL_FN_SET_MEMPOLICY,
		      (struct track_event){ .ticks = began, .mode = (uint32_t)mode }, ret, mask,
		      bits);
	return rawcall_result(ret);
}

EXPORT long set_mempolicy(int mode, const unsigned long *mask, unsigned long bits)
{
	return on_set_mempolicy(mode, mask, bits);
}

ALWAYS_INLINE long on_migrate_pages(int pid, unsigned long bits, const unsigned long *from,
				    const unsigned long *to)
{
	uint64_t began = clock_ticks();
	long ret =
		rawcall_for_program(SYS_migrate_pages, pid, (long)bits, (long)from, (long)to, 0, 0);

	record_policy(TL_FN_MIGRATE_PAGES,
		      (struct track_event){ .ticks = began, .subject = (uint32_t)pid }, ret, to,
		      bits);
	if (ret >= 0 && is_own((uint32_t)pid) && thread_get())
		homes_record_all(thread_self);
	return rawcall_result(ret);
}

EXPORT long migrate_pages(int pid, unsigned long bits, const unsigned long *from,
			  const unsigned long *to)
{
	return on_migrate_pages(pid, bits, from, to);
}

/* Returns the length of a run: the number of elements of pages[], from i on, that are addresses of
 * adjacent pages in ascending order. */
static unsigned long run_of(void *const *pages, unsigned long i, unsigned long n, uint64_t page)
{
	uint64_t first = (uint64_t)(uintptr_t)pages[i];
	unsigned long run = 1;

	while (i + run < n && (uint64_t)(uintptr_t)pages[i + run] == first + run * page)
		run++;
	return run;
}

/* Records a call of move_pages(). Writes for each run of adjacent pages a record of the nodes that
 * were requested, then a record of the nodes on which the pages are now. The second record uses the
 * kernel's results in `status`; if `status` is NULL, the nodes of up to 32 pages of the run are
 * looked up. */
ALWAYS_INLINE void record_moves(uint64_t began, uint32_t pid, unsigned long n, void *const *pages,
				const int *nodes, const int *status, unsigned flags)
{
	uint64_t page = homes_page_bytes();
	const uint32_t subject = is_own(pid) ? 0 : pid;

	for (unsigned long at = 0, run; at < n; at += run) {
		uint64_t first = (uint64_t)(uintptr_t)pages[at];
		unsigned long mask[16] = { 0 };

		run = run_of(pages, at, n, page);
		for (unsigned long i = at; i < at + run; i++)
			if (nodes[i] >= 0 && nodes[i] < 1024)
				mask[nodes[i] / 64] |= 1ul << nodes[i] % 64;
		record_policy(TL_FN_MOVE_PAGES,
			      (struct track_event){ .ticks = began,
						    .address = first,
						    .size = run * page,
						    .subject = pid,
						    .flags = flags },
			      0, mask, 1025);
		if (!thread_get())
			continue;
		if (status)
			homes_record_known(thread_self, subject, first & ~(page - 1), status + at,
					   run);
		else
			homes_record(thread_self, subject, first & ~(page - 1), run * page);
	}
}

/*
 * Serves move_pages(). A call that only queries where pages are (`nodes` is NULL) is not recorded.
 * A positive result is the number of pages that were not moved, because the call stopped early;
 * then the contents of `status` are not valid.
 */
ALWAYS_INLINE long on_move_pages(int pid, unsigned long n, void **pages, const int *nodes,
				 int *status, int flags)
{
	uint64_t began = clock_ticks();
	long ret = rawcall_for_program(SYS_move_pages, pid, (long)n, (long)pages, (long)nodes,
				       (long)status, flags);

	if (nodes && rawcall_failed(ret))
		record_policy(TL_FN_MOVE_PAGES,
			      (struct track_event){ .ticks = began,
						    .subject = (uint32_t)pid,
						    .flags = (uint32_t)flags },
			      ret, NULL, 0);
	else if (nodes)
		record_moves(began, (uint32_t)pid, n, pages, nodes, ret ? NULL : status,
			     (unsigned)flags);
	return rawcall_result(ret);
}

EXPORT long move_pages(int pid, unsigned long n, void **pages, const int *nodes, int *status,
		       int flags)
{
	return on_move_pages(pid, n, pages, nodes, status, flags);
}

EXPORT int madvise(void *at, size_t size, int advice)
{
	uint64_t began = clock_ticks();
	int ret = -1;

	if (real_ready() && real.madvise)
		ret = map_beside_own(real.madvise, at, size, advice);
	record_policy(TL_FN_MADVISE,
		      (struct track_event){ .ticks = began,
					    .address = (uint64_t)(uintptr_t)at,
					    .size = size,
					    .mode = (uint32_t)advice },
		      ret ? -errno : 0, NULL, 0);
	if (advice == MADV_COLLAPSE && thread_get())
		homes_record(thread_self, 0, (uint64_t)(uintptr_t)at, size);
	return ret;
}

EXPORT int prctl(int what, ...)
{
	unsigned long a[4];
	struct seal seal;
	va_list ap;
	int ret;

	va_start(ap, what);
	for (int i = 0; i < 4; i++)
		a[i] = va_arg(ap, unsigned long);
	va_end(ap);
	if (!real_ready() || !real.prctl)
		return -1;
	seal = seal_before(SYS_prctl, (unsigned long)what, a[0]);
	ret = real.prctl(what, a[0], a[1], a[2], a[3]);
	seal_after(&seal, ret);
	if (!ret && what == PR_SET_NAME)
		affinity_record_name(0, (const char *)a[0]);
	return ret;
}

/* Some programs and libraries make policy calls with syscall() instead of the functions above. This
 * hook handles such calls, and those that execute a program, end the process, lock its memory or
 * set its limits, like the hooks of these functions. It never calls these functions: another
 * library may have its own, which call syscall(). It passes on all other calls, but notices if
 * prctl or seccomp seals the process (seal.h). */
EXPORT long syscall(long nr, ...)
{
	struct seal seal = { 0 };
	long a[6], ret;
	va_list ap;

	va_start(ap, nr);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	switch (nr) {
	case SYS_mbind:
		return on_mbind((void *)a[0], (unsigned long)a[1], (int)a[2], (unsigned long *)a[3],
				(unsigned long)a[4], (unsigned)a[5]);
	case SYS_set_mempolicy:
		return on_set_mempolicy((int)a[0], (unsigned long *)a[1], (unsigned long)a[2]);
	case SYS_migrate_pages:
		return on_migrate_pages((int)a[0], (unsigned long)a[1], (unsigned long *)a[2],
					(unsigned long *)a[3]);
	case SYS_move_pages:
		return on_move_pages((int)a[0], (unsigned long)a[1], (void **)a[2], (int *)a[3],
				     (int *)a[4], (int)a[5]);
	case SYS_prctl:
	case SYS_seccomp:
		seal = seal_before(nr, (unsigned long)a[0], (unsigned long)a[1]);
		break;
	case SYS_execve:
	case SYS_execveat:
		return exec_by_number(nr, a);
	case SYS_exit_group:
		life_at_end();
		break;
	case SYS_mlockall:
		return lock_by_number((int)a[0]);
	case SYS_setrlimit:
		life_before_limit(0, (int)a[0], (const void *)a[1]);
		break;
	case SYS_prlimit64:
		life_before_limit((pid_t)a[0], (int)a[1], (const void *)a[2]);
		break;
	}
	if (!real_ready() || !real.syscall)
		return rawcall_result(rawcall_for_program(nr, a[0], a[1], a[2], a[3], a[4], a[5]));
	ret = real.syscall(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
	seal_after(&seal, ret);
	return ret;
}
