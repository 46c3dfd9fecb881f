/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes events and their stacks to the log. An event is written after what its stack needs. */
#include "chunk.h"

#include <string.h>

#include "clock.h"

enum { NODES_AT_ONCE = 256 };

void log_lose_stack(struct thread *t, struct event_stack *stack)
{
	if (stack->id == STACK_LAST)
		stack_logged(stack->from, &stack->guard);
	stack->id = STACK_TRUNCATED;
	stack->from = t->stack;
}

/* Writes the stack's TRACK_STACK if it has one. Returns the value of track_event.stack for this
 * stack. */
static uint32_t put_stack(struct thread *t, struct event_stack *stack)
{
	const uint64_t *words = stack->from->words;
	const uint32_t n = log_stack_words(stack);
	uint64_t *w;

	if (!n)
		return stack->id;
	w = log_reserve(t, stack->from, 8 * (uint64_t)n);
	if (w) {
		memcpy(w + 1, words + 1, 8 * (size_t)(n - 1));
		__atomic_store_n(w, words[0], __ATOMIC_RELEASE);
		stack->from->n_words = 0;
	} else {
		log_lose_stack(t, stack);
	}
	return stack->id;
}

void log_death_slow(struct thread *t, uint64_t ticks, uint64_t address)
{
	struct track_event ev = { .ticks = ticks, .address = address, .stack = STACK_TRUNCATED };

	if (log_is_short(address) && log_prepare(t, ticks, 8))
		/* This does not recurse for ever, because log_prepare() has removed the cause of
		 * the failure. */
		log_death(t, ticks, address);
	else
		log_event(t, &ev, TL_DEATH, TL_FN_FREE, NULL, 0);
}

/* Logs that the thread runs on this CPU, unless the log says so. Returns false if there is no room.
 */
static bool set_cpu(struct thread *t, unsigned cpu)
{
	uint64_t *w;

	if (cpu + 1 == t->cpu)
		return true;
	w = log_reserve(t, NULL, 8);
	if (!w)
		return false;
	__atomic_store_n(w,
			 TRACK_WORD(TRACK_CPU) |
				 TRACK_PUT(CPU_NUMBER, cpu < TRACK_CPU_NONE ? cpu : TRACK_CPU_NONE),
			 __ATOMIC_RELEASE);
	t->cpu = cpu + 1;
	return true;
}

/* Returns the second word of a TRACK_BIRTH record; 0 if one of the values does not fit. */
static uint64_t birth_word(enum tl_function fn, unsigned cpu, uint64_t size, uint32_t stack)
{
	if (size >= TRACK_BIRTH_SIZE_LIMIT ||
	    (stack >= TRACK_BIRTH_STACK_LIMIT && stack != STACK_LAST))
		return 0;
	if (cpu > TRACK_BIRTH_CPU_NONE)
		cpu = TRACK_BIRTH_CPU_NONE;
	return TRACK_WORD(TRACK_BODY) | TRACK_PUT(BIRTH_FUNCTION, fn) | TRACK_PUT(BIRTH_CPU, cpu) |
	       TRACK_PUT(BIRTH_SIZE, size) |
	       TRACK_PUT(BIRTH_STACK, stack & TRACK_MOST(BIRTH_STACK));
}

/* Writes a TRACK_BIRTH. Returns false if that is not possible now. */
static bool birth_short(struct thread *t, uint64_t ticks, uint64_t address, uint64_t body,
			const struct event_stack *stack)
{
	uint64_t pos, since, *w;

	do {
		pos = load_pos(t);
		since = ticks - t->base;
		if (since > t->limit || !log_fits(pos, 16) || t->stack != stack->from)
			return false;
	} while (!local_cas(&t->pos, pos, pos + 16));
	w = (uint64_t *)pos;
	w[1] = body;
	__atomic_store_n(w, log_word(TRACK_BIRTH, since, address), __ATOMIC_RELEASE);
	return true;
}

/* Records a birth that is not recorded by a TRACK_BIRTH_LAST. */
static __attribute__((noinline)) void birth_other(struct thread *t, uint64_t ticks,
						  uint64_t address, uint64_t size,
						  enum tl_function fn, unsigned cpu,
						  struct event_stack *stack)
{
	struct track_event ev = { .ticks = ticks, .address = address, .size = size };
	const uint64_t body = birth_word(fn, cpu, size, put_stack(t, stack));
	bool is_short = body && log_is_short(address);

	for (int i = 0; i < 3 && is_short; i++) {
		if (birth_short(t, ticks, address, body, stack))
			return;
		is_short = log_prepare(t, ticks, 16);
	}
	log_stack_event(t, &ev, stack, TL_BIRTH, fn, NULL, 0);
}

void log_birth_slow(struct thread *t, uint64_t ticks, uint64_t address, uint64_t size,
		    enum tl_function fn, unsigned cpu, struct event_stack *stack)
{
	if (t->stack != stack->from)
		log_lose_stack(t, stack);
	if (log_is_short(address) && stack->id == STACK_LAST && size < TRACK_LAST_SIZE_LIMIT &&
	    set_cpu(t, cpu) && log_prepare(t, ticks, 8 + 8 * log_stack_words(stack)))
		/* This does not recurse for ever, because the cause of the failure is removed. */
		log_birth(t, ticks, address, size, fn, cpu, stack);
	else
		birth_other(t, ticks, address, size, fn, cpu, stack);
}

/* Writes the death of the old block and the birth of the new one as a TRACK_REALLOC and a
 * TRACK_BIRTH, which share one reservation of room. Returns false if there is no room, or if one of
 * the times is too far from t->base. */
static bool realloc_short(struct thread *t, uint64_t died, uint64_t old, uint64_t ticks,
			  uint64_t address, uint64_t body, const struct event_stack *stack)
{
	uint64_t pos, base, *w;

	do {
		pos = load_pos(t);
		base = t->base;
		if (died < base || ticks - base > t->limit || !log_fits(pos, 24) ||
		    t->stack != stack->from)
			return false;
	} while (!local_cas(&t->pos, pos, pos + 24));
	w = (uint64_t *)pos;
	w[2] = body;
	w[1] = log_word(TRACK_BIRTH, ticks - base, address);
	__atomic_store_n(w, log_word(TRACK_REALLOC, died - base, old), __ATOMIC_RELEASE);
	return true;
}

void log_end_by(struct thread *t, uint64_t ticks, uint64_t address, enum tl_function fn)
{
	struct track_event ev = { .ticks = ticks, .address = address, .stack = STACK_TRUNCATED };

	log_event(t, &ev, TL_DEATH, fn, NULL, 0);
}

void log_realloc(struct thread *t, uint64_t died, uint64_t old, uint64_t ticks, uint64_t address,
		 uint64_t size, enum tl_function fn, struct event_stack *stack)
{
	struct track_event ev = {
		.ticks = ticks, .address = address, .size = size, .old_address = old
	};
	uint64_t body = birth_word(fn, clock_cpu(), size, put_stack(t, stack));
	bool is_short = body && log_is_short(address) && log_is_short(old);

	for (int i = 0; i < 3 && is_short; i++) {
		if (realloc_short(t, died, old, ticks, address, body, stack))
			return;
		is_short = log_prepare(t, died, 24);
	}
	log_end_by(t, died, old, fn);
	log_stack_event(t, &ev, stack, TL_BIRTH, fn, NULL, 0);
}

void log_nodes(struct thread *t)
{
	struct stack_frames f;

	/* t->stack is NULL in the child if a signal handler has forked and logged nothing. */
	while (t->stack && stack_take_new(t->stack, NODES_AT_ONCE, &f)) {
		uint64_t *w = log_begin_long(t, TRACK_NODES, 16 + 8 * (uint64_t)f.n);

		if (!w)
			continue;
		w[1] = f.first | (uint64_t)f.caller << 32;
		memcpy(w + 2, f.pcs, 8 * (size_t)f.n);
		log_end_long(w, 0);
	}
}

void log_frames(struct thread *t, struct event_stack *stack)
{
	struct stack_change c;

	while (stack_take_frames(stack->from, NODES_AT_ONCE, &c)) {
		const uint64_t bytes = 16 + 8 * (uint64_t)c.n;
		uint64_t *w = log_reserve(t, stack->from, bytes);

		if (!w) {
			log_lose_stack(t, stack);
			return;
		}
		log_put_head(w, TRACK_FRAMES, bytes);
		w[1] = c.kept;
		memcpy(w + 2, c.words, 8 * (size_t)c.n);
		log_end_long(w, 0);
	}
}

void log_thread(struct thread *t)
{
	uint64_t *w = log_begin_long(t, TRACK_THREAD, 16);

	if (!w)
		return;
	w[1] = t->tid;
	log_end_long(w, 0);
}

/* Does what log_event() does. If `from` is not NULL, it is t->stack when the event's stack was
 * captured. */
static void put_event(struct thread *t, struct track_event *ev, const struct stack_thread *from,
		      enum tl_kind kind, enum tl_function fn, const void *extra, size_t entry_bytes)
{
	size_t bytes = ev->extra * entry_bytes, most = 8 * (size_t)TRACK_EXTRA_WORDS;
	unsigned cpu = clock_cpu();
	uint64_t *w;

	if (bytes > most) {
		ev->extra = (uint32_t)(most / entry_bytes);
		bytes = ev->extra * entry_bytes;
	}
	w = log_begin_long(t, TRACK_EVENT + (enum track_kind)kind,
			   sizeof(*ev) + ((bytes + 7) & ~(size_t)7));
	if (!w) {
		log_lost(1);
		return;
	}
	if (from && t->stack != from)
		ev->stack = STACK_TRUNCATED; /* only the parent's log explains it */
	memcpy(w + 1, &ev->ticks, sizeof(*ev) - 8);
	if (bytes)
		memcpy(w + sizeof(*ev) / 8, extra, bytes);
	if (cpu > TRACK_LONG_CPU_NONE)
		cpu = TRACK_LONG_CPU_NONE;
	log_end_long(w, TRACK_PUT(LONG_FUNCTION, fn) | TRACK_PUT(LONG_CPU, cpu));
}

void log_event(struct thread *t, struct track_event *ev, enum tl_kind kind, enum tl_function fn,
	       const void *extra, size_t entry_bytes)
{
	put_event(t, ev, NULL, kind, fn, extra, entry_bytes);
}

void log_stack_event(struct thread *t, struct track_event *ev, struct event_stack *stack,
		     enum tl_kind kind, enum tl_function fn, const void *extra, size_t entry_bytes)
{
	ev->stack = put_stack(t, stack);
	put_event(t, ev, stack->from, kind, fn, extra, entry_bytes);
}
