/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The heap: an end is stamped before the real call, a birth after it. Before the real functions can
 * be found, and for blocks of that time, see boot_alloc().
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "homes.h"
#include "real.h"
#include "record.h"

void *pvalloc(size_t size);
void *valloc(size_t size);
void *memalign(size_t align, size_t size);
size_t malloc_usable_size(void *p);

/* A free of a block that was too small to be recorded is not recorded either. */
ALWAYS_INLINE bool is_recorded(void *p)
{
	return !image.min_size || !real.malloc_usable_size ||
	       real.malloc_usable_size(p) >= image.min_size;
}

EXPORT void *malloc(size_t size)
{
	void *p;

	if (!real_ready())
		return boot_alloc(16, size);
	p = real.malloc(size);
	record_birth(TL_FN_MALLOC, p, size);
	return p;
}

EXPORT void *calloc(size_t n, size_t size)
{
	void *p;

	if (!real_ready())
		return size && n > SIZE_MAX / size ? NULL : boot_alloc(16, n * size);
	p = real.calloc(n, size);
	record_birth(TL_FN_CALLOC, p, n * size);
	return p;
}

EXPORT void free(void *p)
{
	struct thread *t;

	if (!p || unlikely(boot_owns(p)) || !real_ready())
		return;
	t = thread_get();
	if (likely(t) && is_recorded(p)) {
		homes_before_death(t, p);
		log_death(t, ticks_of_death(t, (uint64_t)(uintptr_t)p), (uint64_t)(uintptr_t)p);
	}
	real.free(p);
}

/* A block of the boot buffer grows into a real one. */
static void *leave_boot(void *old, size_t size)
{
	size_t keep = boot_size(old);
	void *p = real_ready() ? real.malloc(size) : boot_alloc(16, size);

	if (p)
		memcpy(p, old, keep < size ? keep : size);
	return p;
}

/* realloc and reallocarray. The old block is known to have ended only after the call. */
ALWAYS_INLINE void *resize(enum tl_function fn, void *old, size_t size)
{
	uint64_t died, ticks;
	struct thread *t;
	bool known;
	void *p;

	if (unlikely(boot_owns(old) || !real_ready()))
		return leave_boot(old, size);
	t = thread_get();
	known = old && t && is_recorded(old);
	if (known) {
		homes_before_death(t, old);
		*own_block(t, (uint64_t)(uintptr_t)old) = 0;
	}
	died = clock_ticks_after();
	p = real.realloc(old, size);
	ticks = clock_ticks_after();
	if (!t)
		return p;
	if (!p && size) { /* nothing happened */
		if (known)
			homes_born(old, real.malloc_usable_size ? real.malloc_usable_size(old) : 0);
		return p;
	}
	homes_born(p, p ? size : 0);
	if (known && p && size >= image.min_size)
		log_realloc(t, died, (uint64_t)(uintptr_t)old, ticks, (uint64_t)(uintptr_t)p, size,
			    fn, record_stack(t));
	else if (known)
		log_death(t, died, (uint64_t)(uintptr_t)old);
	else if (p && size >= image.min_size)
		log_birth(t, ticks, (uint64_t)(uintptr_t)p, size, fn, clock_cpu(), record_stack(t));
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
	p = real.memalign(align, size);
	record_birth(TL_FN_MEMALIGN, p, size);
	return p;
}

EXPORT void *aligned_alloc(size_t align, size_t size)
{
	void *p;

	if (!real_ready())
		return boot_alloc(align, size);
	p = real.aligned_alloc(align, size);
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
	p = real.valloc(size);
	record_birth(TL_FN_VALLOC, p, size);
	return p;
}

EXPORT void *pvalloc(size_t size)
{
	void *p;

	if (!real_ready())
		return boot_alloc(4096, size);
	p = real.pvalloc(size);
	record_birth(TL_FN_PVALLOC, p, size);
	return p;
}

/* Only for the blocks of the boot buffer. */
EXPORT size_t malloc_usable_size(void *p)
{
	if (boot_owns(p))
		return boot_size(p);
	return real_ready() && real.malloc_usable_size ? real.malloc_usable_size(p) : 0;
}
