/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes to the log. Each thread writes to a chunk of its own. It reserves room in the chunk with
 * one instruction that advances t->pos. So if a signal handler interrupts the thread and also logs,
 * it gets different room. The first word of a short record is stored last. The first word of a long
 * record is stored first, without TRACK_LONG_COMPLETE, and this bit is stored last. So a reader
 * never takes a record that is only partly written for a complete one. Chunks are claimed with an
 * atomic add, so no thread waits for another.
 *
 * t->base is the time of the stream's last TRACK_TIME record. While that record is written, base is
 * 0. If a signal handler interrupts the thread at that time, the handler's events take the slow
 * path in this file: they become long records with their own time.
 */
#include "tracker.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "clock.h"
#include "rawcall.h"
#include "seal.h"
#include "shared_log.h"
#include "window.h"

enum {
	/* ticks. A stream contains pairs (ticks, ns), with which a reader converts ticks to ns.
	 * This is the initial minimum gap between two pairs; each pair that is written doubles it,
	 * up to LAST_PAIR_GAP */
	FIRST_PAIR_GAP = 1 << 16,
	LAST_PAIR_GAP = 1 << 25, /* about 10 ms of a time-stamp counter */
	NODES_AT_ONCE = 256,
	TRIES = 8, /* number of attempts to claim a chunk; other threads may be faster */
};

void log_lost(uint64_t events)
{
	struct track_header *h = image.header;

	if (h)
		__atomic_fetch_add(&h->lost_events, events, __ATOMIC_RELAXED);
}

/* Returns an unused chunk of the log's own file, or NULL. */
static struct track_chunk *own_chunk(void)
{
	struct track_header *own = __atomic_load_n(&image.log, __ATOMIC_ACQUIRE);
	uint64_t offset;

	if (!own)
		return NULL;
	offset = __atomic_fetch_add(&own->next, TRACK_CHUNK, __ATOMIC_RELAXED);
	return offset + TRACK_CHUNK <= image.capacity ? window_chunk(offset) : NULL;
}

/* Returns an unused chunk: the chunk in the log's slot, or one of the log's newest block in the
 * shared file, or one of the log's own file. If all are in use, makes the log larger. Returns NULL
 * if that fails, or if the recorder has closed the logs. */
static struct track_chunk *fresh_chunk(void)
{
	struct track_chunk *c;

	/* Other threads may claim the room that image_grow() has made before this thread does, so
	 * the loop tries again. */
	for (int i = 0; i < TRIES && !shared_closed(); i++) {
		c = shared_take();
		if (!c)
			c = own_chunk();
		if (c || !image_grow())
			return c;
	}
	return NULL;
}

/* Stores the members magic and state in one step, which turns these bytes into a chunk. If a signal
 * handler leaves take_chunk() by longjmp() before this step, both are 0, and readers see an unused
 * chunk. A chunk with only one of them set would look damaged. */
static void publish_head(struct track_chunk *c)
{
	typedef uint64_t __attribute__((may_alias)) both;

	_Static_assert(offsetof(struct track_chunk, magic) == 0 &&
			       offsetof(struct track_chunk, state) == 4,
		       "magic and state must be one 64-bit word, because they are stored by one "
		       "instruction");
	__atomic_store_n((both *)c, TRACK_CHUNK_MAGIC | (uint64_t)TRACK_OPEN << 32,
			 __ATOMIC_RELEASE);
}

/* Claims a new chunk for the thread's stream and returns its address. If there is none, adds 1 to
 * lost_chunks and returns 0. */
static uint64_t take_chunk(struct thread *t)
{
	struct track_header *h = image.header;
	struct track_chunk *c;

	if (!h)
		return 0;
	c = fresh_chunk();
	if (!c) {
		__atomic_fetch_add(&h->lost_chunks, 1, __ATOMIC_RELAXED);
		return 0;
	}
	c->cookie = h->cookie;
	c->stream = t->stream;
	c->sequence = t->chunks++;
	c->tid = t->tid;
	c->pid = h->pid;
	clock_pair(&c->ticks, &c->ns);
	publish_head(c);
	return (uint64_t)c;
}

/* Marks the chunk that contains the byte at pos - 1 as complete: its thread writes nothing more
 * there, so this process no longer needs its pages. */
static void finish_chunk(uint64_t pos)
{
	struct track_chunk *slot = shared_slot_chunk_at(pos);
	struct track_chunk *c = (struct track_chunk *)((pos - 1) & ~(uint64_t)(TRACK_CHUNK - 1));

	__atomic_store_n(slot ? &slot->state : &c->state, TRACK_FULL, __ATOMIC_RELEASE);
	if (!slot && !seal_expected)
		rawcall4(SYS_madvise, (long)c, TRACK_CHUNK, MADV_DONTNEED, 0);
}

/* Assigns a new chunk to the thread. `pos` is the value of t->pos in the old chunk, which is full.
 * If a signal handler has changed t->pos in the meantime, the new value stays. Returns false if
 * there is no new chunk. */
static bool next_chunk(struct thread *t, uint64_t pos)
{
	uint64_t c = take_chunk(t);

	if (!c) {
		t->skipped = 1;
		if (local_cas(&t->pos, pos, 0))
			t->base = 0;
		return false;
	}
	if (local_cas(&t->pos, pos, c + sizeof(struct track_chunk)))
		finish_chunk(pos);
	return true;
}

void log_leave_slot(struct thread *t)
{
	uint64_t pos = load_pos(t);

	if (pos && shared_slot_chunk_at(pos))
		next_chunk(t, pos);
}

bool log_begin(struct thread *t)
{
	uint64_t c = take_chunk(t);

	if (!c)
		return false;
	t->base = 0;
	if (!t->pair_gap)
		t->pair_gap = FIRST_PAIR_GAP;
	return local_cas(&t->pos, 0, c + sizeof(struct track_chunk)) || t->pos;
}

/* Advances t->pos by `bytes` and returns the address of the reserved record. NULL means that no
 * chunk has room. */
static uint64_t *reserve_words(struct thread *t, uint64_t bytes)
{
	for (;;) {
		uint64_t pos = load_pos(t);

		if (!pos)
			return NULL;
		if (!log_fits(pos, bytes)) {
			if (!next_chunk(t, pos))
				return NULL;
		} else if (local_cas(&t->pos, pos, pos + bytes)) {
			return (uint64_t *)pos;
		}
	}
}

static uint64_t long_head(enum track_kind kind, uint64_t bytes)
{
	return TRACK_WORD(TRACK_LONG) | TRACK_PUT(LONG_KIND, kind) |
	       TRACK_PUT(LONG_WORDS, bytes / 8);
}

/* Reserves room for a long record; NULL means that there is no room. The length in its first word
 * is stored before anything else, so that a reader can skip the record. */
static uint64_t *begin_long(struct thread *t, enum track_kind kind, uint64_t bytes)
{
	uint64_t *w = reserve_words(t, bytes);

	if (w)
		__atomic_store_n(w, long_head(kind, bytes), __ATOMIC_RELEASE);
	return w;
}

static void end_long(uint64_t *w, uint64_t more)
{
	__atomic_store_n(w, *w | more | TRACK_LONG_COMPLETE, __ATOMIC_RELEASE);
}

static void write_pair(struct thread *t)
{
	uint64_t *w = begin_long(t, TRACK_PAIR, 8 + sizeof(struct track_moment));

	if (!w)
		return;
	clock_moment((struct track_moment *)(w + 1));
	t->last_pair = w[1];
	if (t->pair_gap < LAST_PAIR_GAP)
		t->pair_gap *= 2;
	end_long(w, 0);
}

/* Is `old`, the stack pointer of an earlier call of rebase_time(), in a frame that longjmp() has
 * left? `sp` is the current stack pointer: an interrupted frame that still exists is above `sp`, or
 * on another stack. */
static bool is_abandoned(uint64_t old, uint64_t sp)
{
	stack_t alt = { 0 };
	uint64_t low;

	if (sp < old)
		return false;
	if (rawcall4(SYS_sigaltstack, 0, (long)&alt, 0, 0))
		return true;
	low = (uint64_t)(uintptr_t)alt.ss_sp;
	return !(alt.ss_flags & SS_ONSTACK) || old - low < alt.ss_size;
}

/* Writes a TRACK_TIME record with this time. The times of the following short records are relative
 * to this time. Returns false if `ticks` is before t->base, if there is no room, or if this call is
 * in a signal handler that interrupted another rebase_time(). */
static bool rebase_time(struct thread *t, uint64_t ticks)
{
	uint64_t sp = (uint64_t)(uintptr_t)__builtin_frame_address(0), *w;

	if (t->base && ticks < t->base)
		return false;
	if (t->rebase_sp && !is_abandoned(t->rebase_sp, sp))
		return false;
	t->rebase_sp = sp;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	t->base = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (ticks - t->last_pair > t->pair_gap)
		write_pair(t);
	t->limit = (1ull << (16 + image.shift)) - 1;
	if (t->limit > t->pair_gap)
		t->limit = t->pair_gap;
	w = reserve_words(t, 8);
	if (w)
		__atomic_store_n(w, TRACK_WORD(TRACK_TIME) | (ticks & TRACK_MOST(TIME_TICKS)),
				 __ATOMIC_RELEASE);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	t->base = w ? ticks : 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	t->rebase_sp = 0;
	return w;
}

/* Called after a short record of this size could not be written: gets a new chunk or writes a new
 * TRACK_TIME, whichever is missing. Returns whether to try again. */
static bool prepare_chunk(struct thread *t, uint64_t ticks, uint64_t bytes)
{
	uint64_t pos = load_pos(t);

	if (!pos)
		return false;
	if (ticks - t->base > t->limit)
		return rebase_time(t, ticks);
	return log_fits(pos, bytes) || next_chunk(t, pos);
}

void log_death_slow(struct thread *t, uint64_t ticks, uint64_t address)
{
	struct track_event ev = { .ticks = ticks, .address = address, .stack = STACK_TRUNCATED };

	if (log_is_short(address) && prepare_chunk(t, ticks, 8))
		/* This does not recurse for ever, because prepare_chunk() has removed the cause of
		 * the failure. */
		log_death(t, ticks, address);
	else
		log_event(t, &ev, TL_DEATH, TL_FN_FREE, NULL, 0);
}

void log_birth_slow(struct thread *t, uint64_t ticks, uint64_t address, uint64_t size,
		    enum tl_function fn, unsigned cpu, uint32_t stack)
{
	struct track_event ev = {
		.ticks = ticks, .address = address, .size = size, .stack = stack
	};

	if (log_is_short(address) && size < TRACK_BIRTH_SIZE_LIMIT &&
	    stack < TRACK_BIRTH_STACK_LIMIT && prepare_chunk(t, ticks, 16))
		log_birth(t, ticks, address, size, fn, cpu, stack);
	else
		log_event(t, &ev, TL_BIRTH, fn, NULL, 0);
}

/* Writes the death of the old block and the birth of the new one as a TRACK_REALLOC and a
 * TRACK_BIRTH, which share one reservation of room. Returns false if there is no room, or if one of
 * the times is too far from t->base. */
static bool realloc_short(struct thread *t, uint64_t died, uint64_t old, uint64_t ticks,
			  uint64_t address, uint64_t body)
{
	uint64_t pos, base, *w;

	do {
		pos = load_pos(t);
		base = t->base;
		if (died < base || ticks - base > t->limit || !log_fits(pos, 24))
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
		 uint64_t size, enum tl_function fn, uint32_t stack)
{
	struct track_event ev = {
		.ticks = ticks, .address = address, .size = size, .old_address = old, .stack = stack
	};
	uint64_t body = log_birth_word(fn, clock_cpu(), size, stack);
	bool is_short = log_is_short(address) && log_is_short(old) &&
			size < TRACK_BIRTH_SIZE_LIMIT && stack < TRACK_BIRTH_STACK_LIMIT;

	for (int i = 0; i < 3 && is_short; i++) {
		if (realloc_short(t, died, old, ticks, address, body))
			return;
		is_short = prepare_chunk(t, died, 24);
	}
	log_end_by(t, died, old, fn);
	log_event(t, &ev, TL_BIRTH, fn, NULL, 0);
}

void log_nodes(struct thread *t)
{
	struct stack_frames f;

	/* t->stack is NULL in the child if a signal handler has forked and logged nothing. */
	while (t->stack && stack_take_new(t->stack, NODES_AT_ONCE, &f)) {
		uint64_t *w = begin_long(t, TRACK_NODES, 16 + 8 * (uint64_t)f.n);

		if (!w)
			continue;
		w[1] = f.first | (uint64_t)f.caller << 32;
		memcpy(w + 2, f.pcs, 8 * (size_t)f.n);
		end_long(w, 0);
	}
}

void log_thread(struct thread *t)
{
	uint64_t *w = begin_long(t, TRACK_THREAD, 16);

	if (!w)
		return;
	w[1] = t->tid;
	end_long(w, 0);
}

void log_event(struct thread *t, struct track_event *ev, enum tl_kind kind, enum tl_function fn,
	       const void *extra, size_t entry_bytes)
{
	size_t bytes = ev->extra * entry_bytes, most = 8 * (size_t)TRACK_EXTRA_WORDS;
	unsigned cpu = clock_cpu();
	uint64_t *w;

	if (bytes > most) {
		ev->extra = (uint32_t)(most / entry_bytes);
		bytes = ev->extra * entry_bytes;
	}
	w = begin_long(t, TRACK_EVENT + (enum track_kind)kind,
		       sizeof(*ev) + ((bytes + 7) & ~(size_t)7));
	if (!w) {
		log_lost(1);
		return;
	}
	memcpy(w + 1, &ev->ticks, sizeof(*ev) - 8);
	if (bytes)
		memcpy(w + sizeof(*ev) / 8, extra, bytes);
	if (cpu > TRACK_LONG_CPU_NONE)
		cpu = TRACK_LONG_CPU_NONE;
	end_long(w, TRACK_PUT(LONG_FUNCTION, fn) | TRACK_PUT(LONG_CPU, cpu));
}
