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
 * The log also shows only this difference: how many frames remain, and the new ones as call sites,
 * which are places of the table of rules (track_format.h). So nothing has to be found out about the
 * stack as a whole. A tree of frames with its tables takes megabytes in a program with many stacks,
 * so most of the cost of a look-up would be waiting for memory. The invariant is: the frames that
 * are known are the outermost frames of the last stack in the log. Therefore a capture owns the
 * state until its event is logged, and knows no frames meanwhile. So if longjmp leaves it, or there
 * is no room in the log, the next stack is logged completely.
 *
 * A frame is ordinary if it is on the thread's own stack and its CFA is sp or fp plus a constant.
 * A stack with another frame, or without an outermost one, is left to segments.
 */
#include "cfi_cache.h"
#include "rawcall.h"
#include "stack_state.h"

#include <string.h>

enum {
	PAUSE = 32,     /* number of captures that do not try again after one that failed */
	LONG_WALK = 12, /* a walk that passes more frames is long */
	FREE_LONG = 6,  /* after more long walks than this there are pauses, ... */
	MOST_LONG = 12, /* ... which double up to this number */
	MOST_FRAMES = TRACK_MOST(STACK_KEPT),
	WORD_SITES = 64 / TRACK_SITE_BITS, /* number of call sites in steps.sites */
	MOST_SITES = TRACK_STACK_FIRST + (STACK_WORDS - 1) * TRACK_STACK_EACH,
};

_Static_assert((int)MOST_FRAMES <= (int)RECENT_FRAMES, "there is room for all frames");
_Static_assert(STACK_WORDS - 1 <= TRACK_MOST(STACK_MORE), "the number of words fits");
_Static_assert(WORD_SITES <= TRACK_STACK_FIRST + TRACK_STACK_EACH, "two words are enough");

/* A walk. */
struct steps {
	uint64_t used; /* the rules of the frames that it has passed, combined by or */
	/* the call sites of these frames, TRACK_SITE_BITS each: the last one in the lowest bits.
	 * Above the first one are 1 bits */
	uint64_t sites;
	uint64_t pc, sp;
	uint64_t last; /* the highest address of a word that it may read */
	uint32_t n;    /* frames of the last stack that the walk may still reach */
	uint32_t more; /* frames that it has passed */
};

static NO_ASAN inline uint64_t check_difference(const struct recent_check *c)
{
	return stack_word(c->address) ^ c->word;
}

/* Returns the number of outermost frames of the last stack from which a walk reads the same words
 * as then, if a saved frame pointer or the 0 after the outermost frame may have changed. Compares
 * all words before it decides, because they are seldom different. */
static __attribute__((noinline)) uint32_t same_checks(const struct stack_recent *r, uint32_t n)
{
	const struct recent_check *c = r->check, *const end = c + r->more[n - 1].checks;
	uint64_t changed = 0;
	uint32_t same = 0;

	for (; end - c >= 4; c += 4)
		changed |= check_difference(c) | check_difference(c + 1) | check_difference(c + 2) |
			   check_difference(c + 3);
	for (; c < end; c++)
		changed |= check_difference(c);
	if (!changed)
		return n;
	for (c = r->check; c < end && !check_difference(c); c++)
		same++;
	while (n && r->more[n - 1].checks > same)
		n--;
	return n;
}

static NO_ASAN inline uint64_t difference(const struct recent_frame *f)
{
	return stack_word(f->sp - 8) ^ f->pc;
}

/* Returns how many of the n outermost frames of the last stack a walk may reach which begins at
 * this sp: those that were called at the same addresses as then. Compares them in groups. All words
 * that are compared are in the thread's own stack above sp, and were read before, so they are
 * readable.
 */
static NO_ASAN inline uint32_t same_frames(const struct stack_recent *r, uint32_t n, uint64_t sp)
{
	const struct recent_frame *f = r->frame, *end;

	while (n && r->frame[n - 1].sp < sp)
		n--;
	for (end = f + n; end - f >= 4 && !(difference(f) | difference(f + 1) | difference(f + 2) |
					    difference(f + 3));)
		f += 4;
	while (f < end && !difference(f))
		f++;
	return (uint32_t)(f - r->frame);
}

/* Stores fp of the walk's frame in *fp. Returns false if it is unknown. */
static NO_ASAN inline bool find_fp(const struct stack_recent *r, const struct steps *w,
				   uint64_t *fp)
{
	uint64_t cfa = w->sp, at;

	*fp = r->first_fp;
	for (uint32_t i = w->more; i-- > 0; cfa = r->passed[i].sp) {
		int place = quick_fp(r->passed[i].quick);

		if (place == FP_KEPT)
			continue;
		at = cfa + (uint64_t)(int64_t)place * 8;
		if (place == FP_LOST || at < r->first_sp || at > w->last)
			return false;
		*fp = stack_word(at);
		return true;
	}
	return true;
}

/* The walk is at the sp of frame w->n - 1 of the last stack, or has gone beyond it. Has it reached
 * a frame of the last stack? Leaves out the frames that it cannot reach any more. */
static bool joins(const struct stack_recent *r, struct steps *w)
{
	const struct recent_more *m;
	uint64_t fp;

	while (w->n && r->frame[w->n - 1].sp < w->sp)
		w->n--;
	if (!w->n || r->frame[w->n - 1].sp != w->sp)
		return false;
	m = &r->more[w->n - 1];
	if (r->frame[w->n - 1].pc == w->pc &&
	    (likely(!m->needs_fp) || (find_fp(r, w, &fp) && fp == m->fp)))
		return true;
	w->n--;
	return false;
}

/* Returns the sp at which the walk must look whether it has reached a frame of the last stack, or
 * the end of the thread's own stack. */
static inline uint64_t look_at(const struct stack_recent *r, const struct steps *w)
{
	return w->n ? r->frame[w->n - 1].sp : w->last + 8;
}

/* Adds the walk's frame to the frames that it has passed. Returns false if there are too many. */
static inline bool pass(struct stack_recent *r, struct steps *w, uint64_t quick, uint32_t site)
{
	if (unlikely(w->n + w->more >= MOST_FRAMES))
		return false;
	r->passed[w->more++] = (struct recent_passed){ w->pc, w->sp, quick };
	w->used |= quick;
	w->sites = w->sites << TRACK_SITE_BITS | site;
	return true;
}

/* Uses the large table from now on, if that is possible. */
static void use_large_table(struct state *s)
{
	if (!stack_open_all(s))
		return;
	rawcall_populate(s->quick, sizeof(*s) - offsetof(struct state, quick));
	s->recent.many = true;
}

/* Returns the rule of an address that is not in its place; 0 if the frame is not ordinary. Learns
 * rules only here, where little of the program's stack is in use, because that needs some, and the
 * stack may be small. */
static __attribute__((noinline)) uint64_t find_rule(struct state *s, uint64_t pc)
{
	struct stack_recent *r = &s->recent;
	struct cfi_rule rule;
	uint64_t quick;

	if (!cfi_cache_rule(pc, &rule))
		rule = cfi_cache_learn(pc, &s->learning);
	quick = quick_make(pc, rule);
	if (!r->many && ++r->learned >= FEW_RULES)
		use_large_table(s);
	if (site_of(s, pc) != TRACK_SITE_NONE)
		*quick_place(s, pc) = quick;
	return quick;
}

/* Reads the rule of the second frame ahead, if it is clear where that is. */
static NO_ASAN inline void expect_caller(struct state *s, const struct steps *w)
{
	const uint64_t rule = *quick_place(s, w->pc), at = w->sp + quick_off(rule) - 8;

	if (likely(quick_is_of(rule, w->pc) && !quick_starts_at_fp(rule) && at <= w->last))
		__builtin_prefetch(quick_place(s, stack_word(at)));
}

/* Ends a walk at the outermost frame. */
static bool end_outermost(struct stack_recent *r, struct steps *w, uint64_t quick, uint32_t site)
{
	w->n = 0;
	return pass(r, w, quick, site);
}

/* Ends a walk at a frame that is not ordinary. */
static __attribute__((noinline)) bool end_by_rule(struct state *s, struct steps *w)
{
	struct cfi_rule rule = { .kind = CFI_NONE };

	(void)cfi_cache_rule(w->pc, &rule);
	return !(w->pc >> ADDRESS_BITS) &&
	       (rule.kind == CFI_OUTERMOST || (rule.kind == CFI_NONE && range_is_entry(w->sp))) &&
	       end_outermost(&s->recent, w, QUICK_FRESH, TRACK_SITE_NONE);
}

/* Walks until it reaches a frame of the last stack, or the outermost frame. Returns false if it
 * comes to a frame that is not ordinary. */
static NO_ASAN inline bool walk(struct state *s, struct steps *w)
{
	struct stack_recent *r = &s->recent;
	uint64_t look = look_at(r, w);

	for (;;) {
		uint64_t rule, cfa, ra;
		uint32_t site;

		if (w->sp >= look) {
			if (joins(r, w))
				return true;
			look = look_at(r, w);
		}
		site = site_of(s, w->pc);
		rule = quick_table(s)[site];
		if (unlikely(!quick_is_of(rule, w->pc)))
			rule = find_rule(s, w->pc);
		if (unlikely(!rule))
			return end_by_rule(s, w);
		cfa = w->sp;
		if (unlikely(quick_starts_at_fp(rule)) && !find_fp(r, w, &cfa))
			return false;
		cfa += quick_off(rule);
		if (unlikely(cfa - 8 < w->sp || cfa - 8 > w->last))
			return false;
		ra = stack_word(cfa - 8);
		if (unlikely(!ra)) {
			r->zero = cfa - 8;
			return end_outermost(r, w, rule, site);
		}
		if (!pass(r, w, rule, site))
			return false;
		w->pc = ra;
		w->sp = cfa;
	}
}

/* Makes *passed frame n of the last stack. Its CFA is `cfa`. */
static void keep_frame(struct stack_recent *r, uint32_t n, const struct recent_passed *passed,
		       uint64_t cfa)
{
	struct recent_more *m = &r->more[n];
	const struct recent_more none = { 0 }, *const outer = n ? m - 1 : &none;

	r->frame[n] = (struct recent_frame){ passed->pc, passed->sp };
	m->fp = cfa - quick_off(passed->quick);
	m->checks = outer->checks;
	m->needs_fp = quick_starts_at_fp(passed->quick);
	if (!outer->needs_fp)
		return;
	if (quick_fp(passed->quick) == FP_KEPT) {
		m->fp = outer->fp;
		m->needs_fp = true;
	} else {
		r->check[m->checks++] =
			(struct recent_check){ cfa + (uint64_t)(int64_t)quick_fp(passed->quick) * 8,
					       outer->fp };
	}
}

/* Adds the frames that the walk has passed to the w->n frames that it has joined. */
static __attribute__((noinline)) void keep_all(struct stack_recent *r, struct steps *w)
{
	const struct recent_passed *p = r->passed + w->more;
	uint64_t cfa = w->n ? w->sp : r->zero + 8;

	for (; w->more; w->more--, cfa = p->sp) {
		keep_frame(r, w->n, --p, cfa);
		if (!w->n++ && r->zero) {
			r->more[0].checks = 1;
			r->check[0] = (struct recent_check){ r->zero, 0 };
		}
	}
}

/* Does the same if fp does not matter. */
static inline void keep_simple(struct stack_recent *r, struct steps *w)
{
	const struct recent_passed *p = r->passed + w->more;
	struct recent_frame *f = &r->frame[w->n];
	struct recent_more *m = &r->more[w->n];
	const uint16_t checks = m[-1].checks;

	w->n += w->more;
	for (; p-- > r->passed; f++, m++) {
		f->pc = p->pc;
		f->sp = p->sp;
		m->checks = checks;
		m->needs_fp = false;
	}
}

/* Returns a word of n call sites, beginning with that of the frame before *from. Decreases *from by
 * the number of frames. */
static uint64_t take_sites(struct state *s, const struct recent_passed **from, unsigned n)
{
	const struct recent_passed *p = *from;
	uint64_t word = TRACK_MOST(MORE_SITES);

	for (unsigned at = 0; at < n * TRACK_SITE_BITS && p > s->recent.passed;
	     at += TRACK_SITE_BITS)
		word ^= (uint64_t)(site_of(s, (--p)->pc) ^ TRACK_SITE_NONE) << at;
	*from = p;
	return word;
}

/* Fills the TRACK_STACK of a stack that has more frames than steps.sites. */
static __attribute__((noinline)) void fill_words(struct state *s, uint64_t word, uint32_t more)
{
	const struct recent_passed *p = s->recent.passed + more;
	uint32_t n = 1;

	word |= take_sites(s, &p, TRACK_STACK_FIRST) & TRACK_MOST(STACK_SITES);
	for (; p > s->recent.passed; n++)
		s->head.words[n] = TRACK_WORD(TRACK_BODY) | take_sites(s, &p, TRACK_STACK_EACH);
	s->head.words[0] = word | TRACK_PUT(STACK_MORE, n - 1);
	s->head.n_words = n;
}

/* Stores what the log must show of the stack, which has w->n known frames and those that the walk
 * has passed. */
static inline void describe(struct state *s, const struct steps *w)
{
	const uint64_t kept = TRACK_WORD(TRACK_STACK) | TRACK_PUT(STACK_KEPT, w->n);
	const uint32_t second = w->more > TRACK_STACK_FIRST;
	struct stack_thread *t = &s->head;

	t->n_frames = 0;
	if (unlikely(w->used & QUICK_FRESH || w->more > MOST_SITES)) {
		t->n_frames = w->more;
		s->recent.kept = w->n;
		s->recent.taken = 0;
		t->words[0] = (kept + TRACK_PUT(STACK_KEPT, w->more)) | TRACK_MOST(STACK_SITES);
		t->n_words = 1;
	} else if (unlikely(w->more > WORD_SITES)) {
		fill_words(s, kept, w->more);
	} else {
		t->words[0] =
			kept | TRACK_PUT(STACK_MORE, second) | (w->sites & TRACK_MOST(STACK_SITES));
		t->words[1] = TRACK_WORD(TRACK_BODY) |
			      (TRACK_MOST(MORE_SITES) & ~TRACK_MOST(STACK_SITES)) |
			      w->sites >> TRACK_STACK_FIRST * TRACK_SITE_BITS;
		t->n_words = 1 + second;
	}
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

/* Captures the stack. The caller owns the state. Returns whether the stack is one of ordinary
 * frames. */
static inline bool capture(struct state *s, uint64_t pc, uint64_t sp, uint64_t fp)
{
	struct stack_recent *r = &s->recent;
	struct steps w;
	const uint32_t known = s->head.known;

	/* An initializer would be compiled into a loop that fills the struct. */
	w.used = 0;
	w.sites = UINT64_MAX;
	w.pc = pc;
	w.sp = sp;
	w.last = s->own.hi - 8;
	w.more = 0;
	r->first_sp = sp;
	r->first_fp = fp;
	r->zero = 0;
	expect_caller(s, &w);
	w.n = same_frames(r, known, sp);
	if (w.n && unlikely(r->more[w.n - 1].checks))
		w.n = same_checks(r, w.n);
	/* If longjmp leaves this capture, nothing is known. */
	s->head.known = 0;
	stack_order();
	if (unlikely(!walk(s, &w))) {
		s->head.known = w.n;
		r->pause = PAUSE;
		return false;
	}
	pause_if_long(r, w.more);
	describe(s, &w);
	if (likely(w.n && !r->more[w.n - 1].needs_fp && !quick_starts_at_fp(w.used)))
		keep_simple(r, &w);
	else
		keep_all(r, &w);
	s->head.n_all = w.n;
	s->head.hits++;
	return true;
}

bool recent_capture(struct state *s, struct guard *me, uint64_t pc, uint64_t sp, uint64_t fp)
{
	if (LINK_REGISTER || sp < s->own.lo || sp >= s->own.hi)
		return false;
	if (unlikely(s->recent.pause)) {
		s->recent.pause--;
		return false;
	}
	if (!guard_open(s, me))
		return false;
	if (likely(s->tree.first_new && s->images == cfi_cache_generation()) &&
	    likely(capture(s, pc, sp, fp)))
		return true;
	guard_close(s, me);
	return false;
}

void recent_forget(struct state *s)
{
	s->head.known = 0;
	memset(s->few.quick, 0, sizeof(s->few.quick));
	if (s->recent.many)
		memset(s->quick, 0, sizeof(s->quick));
}
