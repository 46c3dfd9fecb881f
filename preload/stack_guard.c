/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ensures that a thread's stack cache has one owner at a time. A lock does not work: a signal
 * handler may interrupt the owner, and longjmp may leave the owner, so that the lock stays locked
 * for ever. Instead the owner writes a signature into its own stack frame. A later caller can see
 * from the signature whether that frame still exists. */
#include "stack_state.h"

#include <signal.h>

#include "rawcall.h"

static bool in_own(const struct state *s, uint64_t address)
{
	return address >= s->own.lo && address < s->own.hi;
}

/* Is the current call certainly not on the alternate signal stack? A sealed process must not ask.
 */
static bool is_off_alternate(void)
{
	stack_t alternate = { 0 };

	return rawcall4(SYS_sigaltstack, 0, (long)&alternate, 0, 0) == 0 &&
	       !(alternate.ss_flags & SS_ONSTACK);
}

NO_ASAN bool guard_still_there(const struct state *s, const _Atomic uint64_t *at, uint64_t me)
{
	const uint64_t address = (uint64_t)(uintptr_t)at;

	if (address == me)
		/* the address `me` is in use by the current frame, so the old frame no longer
		 * exists */
		return false;
	if (in_own(s, address) && in_own(s, me) && me > address && is_off_alternate())
		/* the stack grows downwards: the current frame is above the old one, so longjmp has
		 * left the old one. But the alternate signal stack may be an array in a frame that
		 * is above the old one: then the signature decides */
		return false;
	if (!in_own(s, address) && !range_page_readable(address))
		return false;
	return atomic_load_explicit(at, memory_order_relaxed) == guard_signature(at);
}

bool guard_is_free(const struct state *s, const void *me)
{
	const struct guard *holder = atomic_load_explicit(&s->holder, memory_order_relaxed);
	const struct stack_frames *taker = atomic_load_explicit(&s->taker, memory_order_relaxed);
	const uint64_t here = (uint64_t)(uintptr_t)me;

	return !(holder && guard_still_there(s, &holder->token, here)) &&
	       !(taker && guard_still_there(s, &taker->mark, here));
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
	if (taker && guard_still_there(s, &taker->mark, (uint64_t)(uintptr_t)me))
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
