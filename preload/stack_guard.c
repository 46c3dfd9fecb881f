/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ensures that a thread's stack cache has one owner at a time. A lock does not work: a signal
 * handler may interrupt the owner, and longjmp may leave the owner, so that the lock stays locked
 * for ever. Instead the owner writes a signature into its own stack frame. A later caller can see
 * from the signature whether that frame still exists. */
#include "stack_state.h"

#include <signal.h>

#include "rawcall.h"

static bool in_own(const struct state *s, const void *p)
{
	uint64_t address = (uint64_t)(uintptr_t)p;

	return address >= s->own.lo && address < s->own.hi;
}

/* Returns the signature that an owner of the state writes at `at`, an address in its own stack
 * frame. If longjmp leaves that frame, other frames overwrite the signature sooner or later. */
static uint64_t guard_signature(const _Atomic uint64_t *at)
{
	return (uint64_t)(uintptr_t)at ^ 0x5bd1e995c2b2ae35u;
}

/* Is the current call certainly not on the alternate signal stack? A sealed process must not ask.
 */
static bool is_off_alternate(void)
{
	stack_t alternate = { 0 };

	return rawcall4(SYS_sigaltstack, 0, (long)&alternate, 0, 0) == 0 &&
	       !(alternate.ss_flags & SS_ONSTACK);
}

/* A capture, or a stack_take_new() loop, has written its signature at `at` in its stack frame. Is
 * that frame still in use? It is if the current call is in a signal handler that interrupted the
 * capture or loop. It is not if longjmp has left the frame. `me` is an address in the current
 * call's own frame. */
static NO_ASAN bool still_there(const struct state *s, const _Atomic uint64_t *at, const void *me)
{
	if ((const void *)at == me)
		/* the address `me` is in use by the current frame, so the old frame no longer
		 * exists */
		return false;
	if (in_own(s, at) && in_own(s, me) && (uintptr_t)me > (uintptr_t)at && is_off_alternate())
		/* the stack grows downwards: the current frame is above the old one, so longjmp has
		 * left the old one. But the alternate signal stack may be an array in a frame that
		 * is above the old one: then the signature decides */
		return false;
	if (!in_own(s, at) && !range_page_readable((uint64_t)(uintptr_t)at))
		return false;
	return atomic_load_explicit(at, memory_order_relaxed) == guard_signature(at);
}

bool guard_is_free(const struct state *s, const void *me)
{
	const struct guard *holder = atomic_load_explicit(&s->holder, memory_order_relaxed);
	const struct stack_frames *taker = atomic_load_explicit(&s->taker, memory_order_relaxed);

	return !(holder && still_there(s, &holder->token, me)) &&
	       !(taker && still_there(s, &taker->mark, me));
}

bool guard_open(struct state *s, struct guard *me)
{
	const struct guard *holder = atomic_load_explicit(&s->holder, memory_order_relaxed);

	if (holder && still_there(s, &holder->token, me))
		return false;
	atomic_store_explicit(&me->token, guard_signature(&me->token), memory_order_relaxed);
	stack_order();
	atomic_store_explicit(&s->holder, me, memory_order_relaxed);
	/* From here on the state has an owner, so signal handlers do not change s->changes. */
	stack_order();
	atomic_store_explicit(&s->changes,
			      atomic_load_explicit(&s->changes, memory_order_relaxed) + 1,
			      memory_order_relaxed);
	stack_order();
	return true;
}

void guard_close(struct state *s, struct guard *me)
{
	stack_order();
	atomic_store_explicit(&me->token, 0, memory_order_relaxed);
	atomic_store_explicit(&s->holder, NULL, memory_order_relaxed);
}

bool guard_take(struct state *s, struct stack_frames *me)
{
	const struct stack_frames *taker = atomic_load_explicit(&s->taker, memory_order_relaxed);

	if (taker == me &&
	    atomic_load_explicit(&me->mark, memory_order_relaxed) == guard_signature(&me->mark)) {
		/* The loop calls again, so it has written the frames that the previous call
		 * returned: they count as written. There is one exception: if a capture came in
		 * between, this may be a different loop, whose stack frame is at the same
		 * address. */
		if (stack_moves(s) == s->handed_at + 1)
			s->head.taken_id = s->handed;
		return true;
	}
	if (taker && still_there(s, &taker->mark, me))
		return false;
	atomic_store_explicit(&me->mark, guard_signature(&me->mark), memory_order_relaxed);
	atomic_store_explicit(&s->taker, me, memory_order_relaxed);
	return true;
}

void guard_taken(struct state *s, struct stack_frames *me)
{
	atomic_store_explicit(&me->mark, 0, memory_order_relaxed);
	atomic_store_explicit(&s->taker, NULL, memory_order_relaxed);
}

void guard_clear(struct state *s)
{
	atomic_store_explicit(&s->holder, NULL, memory_order_relaxed);
	atomic_store_explicit(&s->taker, NULL, memory_order_relaxed);
}
