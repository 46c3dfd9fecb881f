/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hooks for the address space: mappings, shared memory, and calls of brk by the program itself. The
 * allocator's own mappings do not pass through these hooks.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "homes.h"
#include "rawcall.h"
#include "real.h"
#include "record.h"
#include "window.h"

static uint64_t whole_pages(uint64_t bytes)
{
	uint64_t page = homes_page_bytes();

	return (bytes + page - 1) & ~(page - 1);
}

int map_beside_own(int call(void *, size_t, int), void *at, size_t size, int arg)
{
	uint64_t from = (uint64_t)(uintptr_t)at, end = from + whole_pages(size), next;
	bool is_own;
	int ret = 0;

	next = rawcall_own_until(from, end, &is_own);
	if (next == end && !is_own) /* also if the arguments are invalid: the kernel says why */
		return call(at, size, arg);
	for (; from < end && !ret; from = next) {
		next = rawcall_own_until(from, end, &is_own);
		if (is_own)
			next = from + whole_pages(next - from);
		else
			ret = call((void *)from, next - from, arg);
	}
	return ret;
}

/* Is a part of this range in a mapping of the tracker? A program that reads /proc/self/maps may
 * find such a range, and move it or map over it. Then the tracker would write to memory of the
 * program, or to memory that does not exist. So moving it fails as if nothing were mapped there,
 * and mapping over it fails as if there were no memory. */
static bool has_own(const void *at, size_t size)
{
	uint64_t from = (uint64_t)(uintptr_t)at, end = from + whole_pages(size);
	bool is_own;

	return from < end && (rawcall_own_until(from, end, &is_own) < end || is_own);
}

static void *fail_mapping(int error)
{
	errno = error;
	return MAP_FAILED;
}

/* A call for `bytes` of address space has failed. May it succeed if it is made again? See
 * window_yield(). */
static bool may_again(uint64_t bytes)
{
	return errno == ENOMEM && window_yield(bytes);
}

static int unmap(void *at, size_t size, int unused)
{
	return real.munmap(at, size);
}

ALWAYS_INLINE void *map(void *at, size_t size, int prot, int flags, int fd, off_t offset)
{
	struct thread *t;
	uint64_t died;
	void *p;

	if (!real_ready() || !real.mmap) { /* for example, if an IFUNC resolver maps memory */
		long ret = rawcall_for_program(SYS_mmap, (long)at, (long)size, prot, flags, fd,
					       offset);

		return rawcall_failed(ret) ? MAP_FAILED : (void *)ret;
	}
	t = thread_get();
	died = ticks_for(t);
	if (flags & MAP_FIXED && has_own(at, size))
		return fail_mapping(ENOMEM);
	p = real.mmap(at, size, prot, flags, fd, offset);
	if (p == MAP_FAILED && may_again(size))
		p = real.mmap(at, size, prot, flags, fd, offset);
	if (p == MAP_FAILED)
		return p;
	if (flags & MAP_FIXED) /* the new mapping replaces the mappings at its address */
		record_range(t, TL_UNMAP, TL_FN_MMAP, died, (uint64_t)(uintptr_t)p,
			     whole_pages(size), 0);
	record_range(t, TL_MAP, TL_FN_MMAP, ticks_for(t), (uint64_t)(uintptr_t)p, whole_pages(size),
		     0);
	if (prot & PROT_WRITE)
		homes_born(p, size);
	return p;
}

EXPORT void *mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset)
{
	return map(at, size, prot, flags, fd, offset);
}

EXPORT void *mmap64(void *at, size_t size, int prot, int flags, int fd, off64_t offset)
{
	return map(at, size, prot, flags, fd, offset);
}

EXPORT int munmap(void *at, size_t size)
{
	struct thread *t;
	uint64_t died;
	bool large;
	int ret;

	if (!real_ready() || !real.munmap)
		return -1;
	t = thread_get();
	homes_before_unmap(t, at, size);
	large = homes_leave(at, size);
	died = ticks_for(t);
	ret = map_beside_own(unmap, at, size, 0);
	if (!ret)
		record_range(t, TL_UNMAP, TL_FN_MUNMAP, died, (uint64_t)(uintptr_t)at,
			     whole_pages(size), 0);
	else if (large)
		homes_born(at, size);
	return ret;
}

EXPORT int mprotect(void *at, size_t size, int prot)
{
	if (!real_ready() || !real.mprotect)
		return (int)rawcall_for_program(SYS_mprotect, (long)at, (long)size, prot, 0, 0, 0);
	return map_beside_own(real.mprotect, at, size, prot);
}

EXPORT void *mremap(void *old, size_t old_size, size_t size, int flags, ...)
{
	uint64_t died, from = (uint64_t)(uintptr_t)old;
	void *p, *to = NULL;
	struct thread *t;
	bool large;
	va_list ap;

	va_start(ap, flags);
	if (flags & MREMAP_FIXED)
		to = va_arg(ap, void *);
	va_end(ap);
	if (!real_ready() || !real.mremap)
		return MAP_FAILED;
	t = thread_get();
	died = ticks_for(t);
	if (has_own(old, old_size ? old_size : 1))
		return fail_mapping(EFAULT);
	if (to && has_own(to, size))
		return fail_mapping(ENOMEM);
	large = homes_leave(old, old_size);
	p = real.mremap(old, old_size, size, flags, to);
	if (p == MAP_FAILED && may_again(size))
		p = real.mremap(old, old_size, size, flags, to);
	if (p == MAP_FAILED && large)
		homes_born(old, old_size);
	if (p == MAP_FAILED)
		return p;
	if (flags & MREMAP_FIXED)
		record_range(t, TL_UNMAP, TL_FN_MREMAP, died, (uint64_t)(uintptr_t)p,
			     whole_pages(size), 0);
	/* The TL_UNMAP of the old mapping must come directly before the TL_MAP of the new mapping:
	 * the TL_MAP refers to the old mapping. */
	if (old_size && !(flags & 4 /* MREMAP_DONTUNMAP */))
		record_range(t, TL_UNMAP, TL_FN_MREMAP, died, from, whole_pages(old_size), 0);
	record_range(t, TL_MAP, TL_FN_MREMAP, ticks_for(t), (uint64_t)(uintptr_t)p,
		     whole_pages(size), from);
	homes_born(p, size);
	return p;
}

/* Records that the program has moved its break, the end of its data segment, from `from` to `to`.
 */
ALWAYS_INLINE void record_break(struct thread *t, uint64_t died, uint64_t from, uint64_t to)
{
	if (to > from)
		record_range(t, TL_MAP, TL_FN_BRK, ticks_for(t), from, to - from, 0);
	else if (to < from)
		record_range(t, TL_UNMAP, TL_FN_BRK, died, to, from - to, 0);
}

EXPORT int brk(void *to)
{
	struct thread *t;
	uint64_t died;
	long from;
	int ret;

	if (!real_ready() || !real.brk)
		return -1;
	t = thread_get();
	died = ticks_for(t);
	from = rawcall4(SYS_brk, 0, 0, 0, 0);
	ret = real.brk(to);
	if (ret && may_again((uint64_t)(uintptr_t)to - (uint64_t)from))
		ret = real.brk(to);
	if (!ret && !rawcall_failed(from))
		record_break(t, died, (uint64_t)from, (uint64_t)(uintptr_t)to);
	return ret;
}

EXPORT void *sbrk(intptr_t change)
{
	struct thread *t;
	uint64_t died;
	void *p;

	if (!real_ready() || !real.sbrk)
		return (void *)-1;
	t = thread_get();
	died = ticks_for(t);
	p = real.sbrk(change);
	if (p == (void *)-1 && change > 0 && may_again((uint64_t)change))
		p = real.sbrk(change);
	if (p != (void *)-1 && change)
		record_break(t, died, (uint64_t)(uintptr_t)p,
			     (uint64_t)(uintptr_t)p + (uint64_t)change);
	return p;
}

EXPORT void *shmat(int id, const void *at, int flags)
{
	struct shmid_ds info = { 0 };
	struct thread *t;
	void *p;

	if (!real_ready() || !real.shmat)
		return (void *)-1;
	p = real.shmat(id, at, flags);
	if (p == (void *)-1)
		return p;
	if (rawcall4(SYS_shmctl, id, IPC_STAT, (long)&info, 0))
		return p;
	t = thread_get();
	record_range(t, TL_MAP, TL_FN_SHMAT, ticks_for(t), (uint64_t)(uintptr_t)p,
		     whole_pages(info.shm_segsz), 0);
	homes_born(p, info.shm_segsz);
	return p;
}

/* Records the end of the mapping without its size, which shmdt() does not get. A reader of the log
 * knows the size from the record of shmat() with this address. */
EXPORT int shmdt(const void *at)
{
	struct thread *t;
	uint64_t died;
	int ret;

	if (!real_ready() || !real.shmdt)
		return -1;
	t = thread_get();
	died = ticks_for(t);
	ret = real.shmdt(at);
	if (!ret)
		record_range(t, TL_UNMAP, TL_FN_SHMDT, died, (uint64_t)(uintptr_t)at, 0, 0);
	return ret;
}
