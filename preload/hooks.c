/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hooks for the heap. The time of a free is read before the real call, the time of an allocation
 * after it, so the recorded lives of two blocks at one address never overlap. Until the real
 * functions are known, boot_alloc() serves the calls. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "homes.h"
#include "real.h"
#include "record.h"
#include "window.h"

void *pvalloc(size_t size);
void *valloc(size_t size);
void *memalign(size_t align, size_t size);
size_t malloc_usable_size(void *p);

/* Sets p to the result of a real call that allocates `size` bytes. If the call fails because the
 * log has reserved address space that the program may not exceed, makes the call again. */
#define ALLOCATE(p, size, call)                           \
	do {                                              \
		(p) = (call);                             \
		if (unlikely(!(p)) && window_yield(size)) \
			(p) = (call);                     \
	} while (0)

static uint64_t product(size_t n, size_t size)
{
	size_t bytes;

	return __builtin_mul_overflow(n, size, &bytes) ? UINT64_MAX : bytes;
}

EXPORT void *malloc(size_t size)
{
	void *p;

	if (!real_ready())
		return boot_alloc(16, size);
	layer_enter();
	ALLOCATE(p, size, real.malloc(size));
	record_birth(TL_FN_MALLOC, p, size);
	return p;
}

EXPORT void *calloc(size_t n, size_t size)
{
	void *p;

	if (!real_ready())
		return size && n > SIZE_MAX / size ? NULL : boot_alloc(16, n * size);
	layer_enter();
	ALLOCATE(p, product(n, size), real.calloc(n, size));
	record_birth(TL_FN_CALLOC, p, n * size);
	return p;
}

EXPORT void free(void *p)
{
	struct thread *t;

	if (!p || unlikely(boot_owns(p)) || !real_ready())
		return;
	t = thread_get();
	if (likely(t) && likely(is_recorded_death(p))) {
		homes_before_death(t, p);
		log_death(t, ticks_of_death(t, (uint64_t)(uintptr_t)p), (uint64_t)(uintptr_t)p);
		owners_report((uint64_t)(uintptr_t)p, 0);
		layer_free(t, p);
	}
	real.free(p);
}

/* Serves a realloc if the block is from boot_alloc(), or if the real functions are not known yet:
 * copies the block to a new one. */
static void *leave_boot(void *old, size_t size)
{
	size_t keep = boot_size(old);
	void *p = real_ready() ? real.malloc(size) : boot_alloc(16, size);

	if (p)
		memcpy(p, old, keep < size ? keep : size);
	return p;
}

/* Records a realloc. `was` is true if the old block is recorded. `is` is the weight of the new
 * block, the number of blocks that it represents (see weight_of_birth()). If the weight is 0, the
 * new block is not recorded. */
ALWAYS_INLINE void record_resize(struct thread *t, enum tl_function fn, uint64_t died, void *old,
				 bool was, void *p, size_t size, uint32_t is)
{
	uint64_t ticks = clock_ticks_after(), from = (uint64_t)(uintptr_t)old;
	uint64_t to = (uint64_t)(uintptr_t)p;

	if (likely(was && is == 1)) {
		log_realloc(t, died, from, ticks, to, size, fn, record_stack(t));
		return;
	}
	if (was)
		log_end_by(t, died, from, p ? fn : TL_FN_FREE);
	if (is > 1)
		sample_log_birth(t, ticks, p, size, fn, record_stack(t), was ? old : NULL, is);
	else if (is)
		log_birth(t, ticks, to, size, fn, clock_cpu(), record_stack(t));
}

/* Serves realloc and reallocarray. Before the real call, the block `old` is removed from the sets
 * of sampled and large blocks. If the call fails, `old` is still allocated, and is added again. */
ALWAYS_INLINE void *resize(enum tl_function fn, void *old, size_t size)
{
	uint64_t died;
	struct thread *t;
	bool was;
	void *p;

	if (unlikely(boot_owns(old) || !real_ready()))
		return leave_boot(old, size);
	t = thread_get();
	was = old && t && is_recorded_death(old);
	if (was) {
		homes_before_death(t, old);
		*own_block(t, (uint64_t)(uintptr_t)old) = 0;
	}
	died = t ? clock_ticks_after() : 0;
	if (was)
		owners_report((uint64_t)(uintptr_t)old, 0);
	layer_enter();
	p = real.realloc(old, size);
	if (unlikely(!p) && size && window_yield(size))
		p = real.realloc(old, size);
	if (!t)
		return p;
	if (unlikely(real.layered) && old && t->freed == (uint64_t)(uintptr_t)old)
		was = false;
	if (p || !size) {
		bool known = p && p != old && layer_bore(t, p);
		uint32_t is = p && !known ? weight_of_birth(t, p, size) : 0;

		/* The real realloc called malloc, whose hook has recorded the new block already.
		 * The death of the old block is logged after this birth, so it must have a later
		 * time. */
		if (known)
			died = clock_ticks_after();
		record_resize(t, fn, died, old, was, p, size, is);
		if (is) {
			homes_born(p, size);
			owners_begin(p, size);
		}
		return p;
	}
	if (was) { /* the call failed, so `old` is still allocated */
		size_t bytes = real.malloc_usable_size ? real.malloc_usable_size(old) : 0;

		sample_undo(old);
		homes_born(old, bytes);
		owners_begin(old, bytes);
	}
	return p;
}

EXPORT void *realloc(void *old, size_t size)
{
	return resize(TL_FN_REALLOC, old, size);
}

EXPORT void *reallocarray(void *old, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size) {
		errno = ENOMEM;
		return NULL;
	}
	return resize(TL_FN_REALLOCARRAY, old, n * size);
}

EXPORT void *memalign(size_t align, size_t size)
{
	void *p;

	if (!real_ready())
		return boot_alloc(align, size);
	layer_enter();
	ALLOCATE(p, size, real.memalign(align, size));
	record_birth(TL_FN_MEMALIGN, p, size);
	return p;
}

EXPORT void *aligned_alloc(size_t align, size_t size)
{
	void *p;

	if (!real_ready())
		return boot_alloc(align, size);
	layer_enter();
	ALLOCATE(p, size, real.aligned_alloc(align, size));
	record_birth(TL_FN_ALIGNED_ALLOC, p, size);
	return p;
}

EXPORT int posix_memalign(void **out, size_t align, size_t size)
{
	int ret;

	if (!real_ready()) {
		void *p = boot_alloc(align, size);

		if (p)
			*out = p;
		return p ? 0 : ENOMEM;
	}
	layer_enter();
	ret = real.posix_memalign(out, align, size);
	if (unlikely(ret == ENOMEM) && window_yield(size))
		ret = real.posix_memalign(out, align, size);
	if (!ret)
		record_birth(TL_FN_POSIX_MEMALIGN, *out, size);
	return ret;
}

EXPORT void *valloc(size_t size)
{
	void *p;

	if (!real_ready())
		return boot_alloc(4096, size);
	layer_enter();
	ALLOCATE(p, size, real.valloc(size));
	record_birth(TL_FN_VALLOC, p, size);
	return p;
}

EXPORT void *pvalloc(size_t size)
{
	void *p;

	if (!real_ready())
		return boot_alloc(4096, size);
	layer_enter();
	ALLOCATE(p, size, real.pvalloc ? real.pvalloc(size) : NULL); /* musl does not have it */
	record_birth(TL_FN_PVALLOC, p, size);
	return p;
}

/* Replaced only because the real function does not know the blocks of the boot buffer. */
EXPORT size_t malloc_usable_size(void *p)
{
	if (boot_owns(p))
		return boot_size(p);
	return real_ready() && real.malloc_usable_size ? real.malloc_usable_size(p) : 0;
}
