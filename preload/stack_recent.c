/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Captures stacks of ordinary frames. Successive stacks of a thread have most of their outer frames
 * in common. So a capture walks by rules only until it reaches a frame of the thread's last stack,
 * and compares the words that a walk from there outwards reads.
 *
 * This is exact for the same reason as a segment (stack_segment.h): a walk is a function of the
 * frame at which it begins and of the words that it reads. The walk has reached a frame with the
 * same pc, the same sp and, if anything outside depends on it, the same fp; and all words outside
 * have the same values. Unlike segments, the last stack is in the processor's cache.
 *
 * A frame is ordinary if it is on the thread's own stack and its CFA is sp or fp plus a constant.
 * A stack with another frame, or without an outermost one, is left to segments.
 */
#include "cfi_cache.h"
#include "stack_state.h"

#include <string.h>

enum {
	PAUSE = 32,     /* number of captures that do not try again after one that failed */
	LONG_WALK = 5,  /* a walk that passes more frames is long */
	FREE_LONG = 6,  /* after more long walks than this there are pauses, ... */
	MOST_LONG = 12, /* ... which double up to this number */
	QUICK_OFF_BITS = 14,
	QUICK_FP_BITS = 8,
	QUICK_TAG_SHIFT = 64 - (ADDRESS_BITS - FEW_QUICK_BITS),
};

/* How a walk ends or stops. */
enum result {
	ON_THE_WAY,
	MISSING, /* at a frame whose rule is not in s->quick */
	JOINED,  /* at a frame of the last stack, or at the outermost frame */
	FAILED,  /* at a frame that is not ordinary */
};

/*
 * An ordinary rule in one word, together with the address to which it belongs: the CFA is sp or fp
 * plus a constant, and the frame pointer is kept, lost, or saved near the CFA. Bits from 0 on: the
 * constant / 8, the place of the frame pointer / 8, whether the CFA starts at fp, the address
 * without its low FEW_QUICK_BITS bits. The entry's index and these bits give the whole address. 0
 * is not a rule.
 */
static uint64_t quick_make(uint64_t pc, struct cfi_rule rule)
{
	int fp = rule.fp == CFI_KEPT ? FP_KEPT : rule.fp == CFI_LOST ? FP_LOST : rule.fp;

	if (rule.kind != CFI_FRAME || rule.deref || rule.signal || rule.ra_at_base ||
	    rule.regs_at_base || rule.base == CFI_AUX || rule.off <= 0 || rule.off % 8 ||
	    rule.off >> 3 >> QUICK_OFF_BITS || fp != (int8_t)fp || rule.fp == FP_KEPT ||
	    rule.fp == FP_LOST || pc >> ADDRESS_BITS)
		return 0;
	return (uint64_t)rule.off / 8 | (uint64_t)(uint8_t)fp << QUICK_OFF_BITS |
	       (uint64_t)(rule.base == CFI_FP) << (QUICK_OFF_BITS + QUICK_FP_BITS) |
	       pc >> FEW_QUICK_BITS << QUICK_TAG_SHIFT;
}

static inline uint64_t quick_off(uint64_t quick)
{
	return (quick & ((1u << QUICK_OFF_BITS) - 1)) * 8;
}

static inline int quick_fp(uint64_t quick)
{
	return (int8_t)(quick >> QUICK_OFF_BITS);
}

static inline bool quick_starts_at_fp(uint64_t quick)
{
	return quick >> (QUICK_OFF_BITS + QUICK_FP_BITS) & 1;
}

static inline uint64_t *quick_place(struct state *s, uint64_t pc)
{
	uint64_t hash = pc ^ pc >> QUICK_BITS;

	return s->recent.many ? &s->quick[hash & ((1 << QUICK_BITS) - 1)]
			      : &s->few.quick[hash & ((1 << FEW_QUICK_BITS) - 1)];
}

static inline bool quick_is_of(uint64_t quick, uint64_t pc)
{
	return quick >> QUICK_TAG_SHIFT == pc >> FEW_QUICK_BITS;
}

static inline bool in_own(const struct state *s, uint64_t address, uint64_t floor)
{
	return address >= floor && address < s->own.hi && s->own.hi - address >= 8;
}

/* Returns the address at which frame i of the last stack has saved fp for its caller. */
static uint64_t fp_slot(const struct stack_recent *r, uint32_t i)
{
	return r->place[i - 1].sp + (uint64_t)(int64_t)r->frame[i].fp_place * 8;
}

/* Returns the number of outermost frames of the last stack that may be unchanged, if the walk has
 * reached frame j: only those outside the first word that differs. */
static NO_ASAN __attribute__((noinline)) uint32_t still_same(const struct stack_recent *r,
							     uint32_t j)
{
	for (uint32_t i = j; i > 0; i--) {
		if (stack_word(r->place[i - 1].sp - 8) != r->place[i - 1].pc ||
		    (r->frame[i].outer_load == i &&
		     stack_word(fp_slot(r, i)) != r->frame[i - 1].fp))
			return i;
	}
	return 0;
}

/* Does a walk from frame j of the last stack outwards read the same words as then? Compares all
 * words before it decides, because they are seldom different. All are in the thread's own stack
 * above the walk's sp, and were read before, so they are readable. */
static NO_ASAN inline bool same_outside(const struct stack_recent *r, uint32_t j)
{
	uint64_t changed = r->zero ? stack_word(r->zero) : 0;

	for (uint32_t i = 0; i < j; i++)
		changed |= stack_word(r->place[i].sp - 8) ^ r->place[i].pc;
	for (uint32_t i = r->frame[j].outer_load; i > 0; i--) {
		if (r->frame[i].outer_load == i)
			changed |= stack_word(fp_slot(r, i)) ^ r->frame[i - 1].fp;
	}
	return !changed;
}

/* Has the walk reached a frame of the last stack, and is everything outside it unchanged? If a
 * frame outside has changed, the walk must go on, and can meet the last stack only outside that
 * frame. */
static inline bool joins(const struct stack_recent *r, struct steps *w)
{
	const struct recent_frame *f;

	while (w->n && r->place[w->n - 1].sp < w->sp)
		w->n--;
	if (!w->n || r->place[w->n - 1].sp != w->sp || r->place[w->n - 1].pc != w->pc)
		return false;
	f = &r->frame[w->n - 1];
	if (f->needs_fp && (!w->fp_known || f->fp != w->fp))
		return false;
	if (same_outside(r, w->n - 1))
		return true;
	w->n = still_same(r, w->n - 1);
	return false;
}

/* Adds the walk's frame to the frames that it has passed. Returns false if there are too many. */
static inline bool pass(struct stack_recent *r, struct steps *w, int fp_place, bool starts_at_fp)
{
	uint32_t at = RECENT_FRAMES - 1 - w->more;

	if (w->n + w->more >= RECENT_FRAMES)
		return false;
	r->place[at].pc = w->pc;
	r->place[at].sp = w->sp;
	r->frame[at].fp = w->fp;
	r->frame[at].fp_place = (int8_t)fp_place;
	r->frame[at].starts_at_fp = starts_at_fp;
	w->more++;
	return true;
}

/* Ends a walk at the outermost frame. `zero` is the address of its return address, if that is 0 and
 * shows that the frame is the outermost one; otherwise 0. */
static enum result end_outermost(struct stack_recent *r, struct steps *w, uint64_t zero,
				 bool starts_at_fp)
{
	w->n = 0;
	r->zero = zero;
	return pass(r, w, FP_LOST, starts_at_fp) ? JOINED : FAILED;
}

/* Goes on to the caller of the frame that the walk has passed last. `place` says where that frame
 * has saved fp, and `sp` is its stack pointer. Returns false if the place is outside the stack. */
static NO_ASAN inline bool enter_caller(const struct state *s, struct steps *w, uint64_t ra,
					uint64_t cfa, int place)
{
	uint64_t at = cfa + (uint64_t)(int64_t)place * 8, sp = w->sp;

	w->pc = ra;
	w->sp = cfa;
	if (place == FP_KEPT)
		return true;
	w->fp_known = place != FP_LOST;
	if (!w->fp_known)
		return true;
	if (!in_own(s, at, sp))
		return false;
	w->fp = stack_word(at);
	return true;
}

/* Goes from the walk's frame, which has this rule, to its caller. */
static NO_ASAN inline enum result step_out(struct state *s, struct steps *w, uint64_t quick)
{
	bool at_fp = quick_starts_at_fp(quick);
	uint64_t sp = w->sp, cfa = (at_fp ? w->fp : sp) + quick_off(quick), ra;
	int place = quick_fp(quick);

	if ((at_fp && !w->fp_known) || cfa <= sp || !in_own(s, cfa - 8, sp))
		return FAILED;
	ra = stack_word(cfa - 8);
	if (!ra)
		return end_outermost(&s->recent, w, cfa - 8, at_fp);
	if (!pass(&s->recent, w, place, at_fp))
		return FAILED;
	return enter_caller(s, w, ra, cfa, place) ? ON_THE_WAY : FAILED;
}

/* Stores the rule of an address in s->quick and returns it; 0 if the frame is not ordinary. */
static __attribute__((noinline)) uint64_t learn_rule(struct state *s, uint64_t pc)
{
	struct cfi_rule rule;

	if (!cfi_cache_rule(pc, &rule))
		rule = cfi_cache_learn(pc, &s->learning);
	return *quick_place(s, pc) = quick_make(pc, rule);
}

/* Ends a walk at a frame that is not ordinary. */
static __attribute__((noinline)) enum result end_by_rule(struct state *s)
{
	struct steps *w = &s->recent.steps;
	struct cfi_rule rule = { .kind = CFI_NONE };

	(void)cfi_cache_rule(w->pc, &rule);
	if (rule.kind == CFI_OUTERMOST || (rule.kind == CFI_NONE && range_is_entry(w->sp)))
		return end_outermost(&s->recent, w, 0, false);
	return FAILED;
}

/* Walks until there is a result. */
static __attribute__((noinline)) enum result walk(struct state *s)
{
	struct steps *w = &s->recent.steps;
	enum result result = ON_THE_WAY;

	while (result == ON_THE_WAY && !joins(&s->recent, w)) {
		uint64_t quick = *quick_place(s, w->pc);

		if (!quick_is_of(quick, w->pc))
			return MISSING;
		result = step_out(s, w, quick);
	}
	return result == ON_THE_WAY ? JOINED : result;
}

/* Returns the node of a frame, and creates it if it is missing; 0 if it must not be created now. */
static uint32_t node_of(struct state *s, uint32_t caller, uint64_t pc)
{
	uint32_t node = tree_find(&s->tree, caller, pc);

	if (node)
		return node;
	if (s->tree.n >= FULL_NODES || s->tree.n_new > NEW_NODES)
		return 0;
	if (s->head.taken_id == tree_next_id(&s->tree))
		tree_forget_new(&s->tree);
	node = tree_intern(&s->tree, caller, pc);
	s->head.next_id = tree_next_id(&s->tree);
	return node;
}

/* Sets the members needs_fp and outer_load of f, which is frame n of the last stack. */
static inline void need_fp(struct recent_frame *f, uint32_t n)
{
	bool outer_needs = n && f[-1].needs_fp;

	f->needs_fp = f->starts_at_fp || (outer_needs && f->fp_place == FP_KEPT);
	f->outer_load = n ? f[-1].outer_load : 0;
	if (outer_needs && f->fp_place != FP_KEPT)
		f->outer_load = (uint16_t)n;
}

/* Adds the frames that the walk has passed to those that it has joined. Returns the id of the
 * stack; 0 if a node could not be created. */
static inline uint32_t keep_frames(struct state *s)
{
	struct stack_recent *r = &s->recent;
	struct steps *w = &r->steps;
	uint32_t node = w->n ? r->frame[w->n - 1].node : STACK_ROOT;

	for (; w->more; w->more--, w->n++) {
		uint32_t at = RECENT_FRAMES - w->more;
		struct recent_frame f = r->frame[at];

		f.node = node_of(s, node, r->place[at].pc);
		if (!f.node)
			return 0;
		r->place[w->n] = r->place[at];
		r->frame[w->n] = f;
		need_fp(&r->frame[w->n], w->n);
		node = f.node;
	}
	return node;
}

/* Decides whether the next captures use segments at once. They compare remembered frames faster
 * than a walk passes new ones, so the last stack gains nothing if successive stacks have little in
 * common. `more` is the number of frames that the walk has passed. The first walk after a pause
 * does not count, because the last stack is old then. */
static void pause_if_long(struct stack_recent *r, uint32_t more)
{
	bool was_paused = r->was_paused;

	r->was_paused = false;
	if (more <= LONG_WALK)
		r->long_walks -= r->long_walks > 0;
	else if (!was_paused && ++r->long_walks > FREE_LONG) {
		r->long_walks = r->long_walks < MOST_LONG ? r->long_walks : MOST_LONG;
		r->pause = 1u << (r->long_walks - FREE_LONG);
		r->was_paused = true;
	}
}

/* Ends a capture whose walk has ended like this. Returns the id of the stack; 0 if there is none.
 */
static __attribute__((noinline)) uint32_t end_capture(struct state *s, enum result result)
{
	struct stack_recent *r = &s->recent;
	uint64_t known = s->tree.n;
	uint32_t more = r->steps.more, id = result == JOINED ? keep_frames(s) : 0;

	stack_order();
	r->n = r->steps.n;
	r->many |= s->tree.n >= FEW_NODES;
	pause_if_long(r, more);
	if (!id)
		r->pause = PAUSE;
	else if (s->tree.n > known)
		s->head.walks++;
	else
		s->head.hits++;
	return id;
}

/* Captures the stack. The caller owns the state. Learns rules only here, where little of the
 * program's stack is in use, because that needs some, and the stack may be small. */
static inline uint32_t capture(struct state *s, const struct frame *f)
{
	struct stack_recent *r = &s->recent;
	enum result result;

	r->steps = (struct steps){
		.pc = f->pc, .sp = f->sp, .fp = f->reg[FP], .fp_known = true, .n = r->n
	};
	/* If longjmp leaves this function, nothing is remembered. */
	r->n = 0;
	stack_order();
	do {
		result = walk(s);
	} while (result == MISSING && learn_rule(s, r->steps.pc));
	if (result == MISSING)
		result = end_by_rule(s);
	return end_capture(s, result);
}

uint32_t recent_capture(struct state *s, const struct frame *f)
{
	struct guard me;
	uint32_t id = 0;

	if (LINK_REGISTER || f->sp < s->own.lo || f->sp >= s->own.hi)
		return 0;
	if (s->recent.pause) {
		s->recent.pause--;
		return 0;
	}
	if (!guard_open(s, &me))
		return 0;
	if (s->tree.first_new && s->images == cfi_cache_generation())
		id = capture(s, f);
	guard_close(s, &me);
	return id;
}

void recent_forget(struct state *s)
{
	s->recent.n = 0;
	memset(s->few.quick, 0, sizeof(s->few.quick));
	if (s->recent.many)
		memset(s->quick, 0, sizeof(s->quick));
}
