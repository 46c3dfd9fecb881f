/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a hook does in addition to the real call. This code is always inlined into the interposed
 * function, because the recorded stack begins at the caller of that function. */
#ifndef MEMDB_PRELOAD_RECORD_H
#define MEMDB_PRELOAD_RECORD_H

#include "clock.h"
#include "homes.h"
#include "owners.h"
#include "sample.h"
#include "tracker.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Returns the id of the call stack of the hook's caller. Writes frames of this stack to the log if
 * they are not there yet. If a signal handler forks in the meantime, its child returns here with an
 * id that only the parent's log explains; and in the child, the members of *t are 0. So t->stack is
 * read only once, after t->tid. */
ALWAYS_INLINE uint32_t record_stack(struct thread *t)
{
	const uint32_t tid = __atomic_load_n(&t->tid, __ATOMIC_RELAXED);
	struct stack_thread *state;
	uint32_t stack;

	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	state = __atomic_load_n(&t->stack, __ATOMIC_RELAXED);
	if (unlikely(!state))
		return STACK_TRUNCATED;
	stack = stack_capture_caller(state);
	if (unlikely(__atomic_load_n(&t->tid, __ATOMIC_RELAXED) != tid))
		return STACK_TRUNCATED;
	if (unlikely(stack_has_new(state)))
		log_nodes(t);
	return stack;
}

/*
 * Returns the entry in which a thread remembers a block. The entry has three kinds of values.
 * `address | 1`: this thread has allocated the block, and the block is live. `address`: this thread
 * has freed the block. Anything else: the entry is empty (0) or belongs to another block.
 *
 * If different threads allocate and free a block, the order of their times must be right to within
 * a few ns. This needs a fence (see clock_ticks_after()). Times of one thread are always in order.
 * Most blocks are allocated, freed and allocated again by one thread. The entry shows that, and
 * then no fence is needed. A process with one thread never needs a fence.
 */
ALWAYS_INLINE uint64_t *own_block(struct thread *t, uint64_t address)
{
	return &t->own[address * 0x9e3779b97f4a7c15u >> 55];
}

ALWAYS_INLINE uint64_t ticks_of_birth(struct thread *t, uint64_t address)
{
	uint64_t *own = own_block(t, address), was;

	if (!image.threaded)
		return clock_ticks();
	was = *own;
	*own = address | 1;
	return likely(was == address) ? clock_ticks() : clock_ticks_after();
}

ALWAYS_INLINE uint64_t ticks_of_death(struct thread *t, uint64_t address)
{
	uint64_t *own = own_block(t, address), was;

	if (!image.threaded)
		return clock_ticks();
	was = *own;
	*own = address;
	return likely(was == (address | 1)) ? clock_ticks() : clock_ticks_after();
}

/* Returns the number of blocks that the record of a birth represents; 0 means that the birth is not
 * recorded. */
ALWAYS_INLINE uint32_t weight_of_birth(struct thread *t, void *p, size_t size)
{
	if (unlikely(size < image.min_size) && real.malloc_usable_size &&
	    real.malloc_usable_size(p) < image.min_size)
		return 0;
	return unlikely(image.sample_every) ? sample_birth(t, p) : 1;
}

/* Must the death of the block be recorded? It must if the block's birth was recorded: both
 * decisions use malloc_usable_size(), which does not change in between. For a small block that was
 * sampled, the set of chosen blocks decides (sample_death()), and the block is removed from this
 * set. Must be called before the block is freed. */
ALWAYS_INLINE bool is_recorded_death(void *p)
{
	if (unlikely(image.min_size) && real.malloc_usable_size &&
	    real.malloc_usable_size(p) < image.min_size)
		return false;
	return unlikely(image.sample_every) ? sample_death(p) : true;
}

/* Clears t->born and t->freed, in which a thread stores the last block that it has allocated and
 * the last one that it has freed. Another allocator's calloc may call malloc, and its realloc may
 * call malloc and free, through symbols that lead to the tracker again. Then the inner call records
 * the block, and the outer call must not record it again. So each hook clears the two members at
 * its start, and checks at its end whether an inner call has set them. */
ALWAYS_INLINE void layer_enter(void)
{
	struct thread *t;

	if (likely(!real.layered))
		return;
	t = thread_self;
	if (t)
		t->born = t->freed = 0;
}

/* Has an inner call recorded p already (see layer_enter())? If not, sets t->born to p. */
ALWAYS_INLINE bool layer_bore(struct thread *t, const void *p)
{
	uint64_t address = (uint64_t)(uintptr_t)p;

	if (likely(!real.layered))
		return false;
	if (t->born == address)
		return true;
	t->born = address;
	return false;
}

ALWAYS_INLINE void layer_free(struct thread *t, const void *p)
{
	if (likely(!real.layered))
		return;
	t->freed = (uint64_t)(uintptr_t)p;
	if (t->born == t->freed)
		t->born = 0;
}

/* The block of `size` bytes at p has begun. The block of malloc(0) counts as one byte. */
ALWAYS_INLINE void owners_begin(const void *p, uint64_t size)
{
	owners_report((uint64_t)(uintptr_t)p, size ? size : 1);
}

/* Records an allocation. Must be called after the real function has returned p, which may be
 * NULL. */
ALWAYS_INLINE void record_birth(enum tl_function fn, void *p, size_t size)
{
	uint32_t weight;
	uint64_t ticks;
	struct thread *t;

	if (unlikely(!p))
		return;
	t = thread_get();
	if (unlikely(!t) || layer_bore(t, p))
		return;
	weight = weight_of_birth(t, p, size);
	if (!weight)
		return;
	homes_born(p, size);
	ticks = ticks_of_birth(t, (uint64_t)(uintptr_t)p);
	if (likely(weight == 1))
		log_birth(t, ticks, (uint64_t)(uintptr_t)p, size, fn, clock_cpu(), record_stack(t));
	else
		sample_log_birth(t, ticks, p, size, fn, record_stack(t), NULL, weight);
	owners_begin(p, size);
}

/* Returns the time, or 0 if t is NULL: then nothing will be recorded, and reading the clock may be
 * forbidden. */
ALWAYS_INLINE uint64_t ticks_for(const struct thread *t)
{
	return t ? clock_ticks() : 0;
}

/* Records that a range of pages begins (TL_MAP) or has ended (TL_UNMAP) at `ticks`. Does nothing
 * if t is NULL. */
ALWAYS_INLINE void record_range(struct thread *t, enum tl_kind kind, enum tl_function fn,
				uint64_t ticks, uint64_t address, uint64_t size, uint64_t old)
{
	struct track_event ev = {
		.ticks = ticks, .address = address, .size = size, .old_address = old
	};

	if (!t)
		return;
	ev.stack = record_stack(t);
	log_event(t, &ev, kind, fn, NULL, 0);
	owners_report(address, size ? size : UINT64_MAX); /* shmdt() has no size */
}

#endif
