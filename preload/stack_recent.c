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
 * Most of the cost is waiting for memory, so a capture reads as little of it as possible. The tree
 * of frames and its table take megabytes in a program with many stacks. So the id of a stack is
 * looked up by a hash of its return addresses, which each frame continues from the frame outside
 * it: in a small table, then in one for more stacks. Only if both lack it, the tree is searched for
 * each frame whose node was not needed before. An entry has 40 bits of the hash, so a stack that is
 * not in a table is taken for another one with a probability of 1 in 10^12.
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
};

/* A walk. */
struct steps {
	uint64_t pc, sp;
	uint64_t first, fp; /* sp and fp where the walk began */
	uint64_t last;      /* the highest address of a word that it may read */
	/* address of the return address 0 that ended the walk; 0 if it did not end at one */
	uint64_t zero;
	uint32_t n;    /* frames of the last stack that the walk may still reach */
	uint32_t more; /* frames that it has passed */
	uint64_t used; /* the rules of these frames, combined by or */
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

/* Returns the number of outermost frames of the last stack that a walk may reach which begins at
 * this sp: those that were called at the same addresses as then. Compares them in groups. All words
 * that are compared are in the thread's own stack above sp, and were read before, so they are
 * readable. */
static NO_ASAN inline uint32_t same_frames(const struct stack_recent *r, uint32_t n, uint64_t sp)
{
	const struct recent_frame *f = r->frame, *const end = f + n;

	while (end - f >= 4 && f[3].sp >= sp &&
	       !(difference(f) | difference(f + 1) | difference(f + 2) | difference(f + 3)))
		f += 4;
	while (f < end && f->sp >= sp && !difference(f))
		f++;
	return (uint32_t)(f - r->frame);
}

/* Stores fp of the walk's frame in *fp. Returns false if it is unknown. */
static NO_ASAN inline bool find_fp(const struct stack_recent *r, const struct steps *w,
				   uint64_t *fp)
{
	uint64_t cfa = w->sp, at;

	*fp = w->fp;
	for (uint32_t i = w->more; i-- > 0; cfa = r->passed[i].sp) {
		int place = quick_fp(r->passed[i].quick);

		if (place == FP_KEPT)
			continue;
		at = cfa + (uint64_t)(int64_t)place * 8;
		if (place == FP_LOST || at < w->first || at > w->last)
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
static inline bool pass(struct stack_recent *r, struct steps *w, uint64_t quick)
{
	if (unlikely(w->n + w->more >= r->most))
		return false;
	r->passed[w->more++] = (struct recent_passed){ w->pc, w->sp, quick };
	w->used |= quick;
	return true;
}

/* Returns the two entries in which the rule of an address may be. */
static inline uint64_t *quick_set(struct state *s, uint64_t pc)
{
	uint64_t hash = (pc ^ pc >> QUICK_BITS) * 2;

	return s->recent.many ? &s->quick[hash & ((1 << QUICK_BITS) - 2)]
			      : &s->few_quick[hash & ((1 << FEW_QUICK_BITS) - 2)];
}

/* Returns the rule of an address that is not in the first entry of the set; 0 if the frame is not
 * ordinary. Learns rules only here, where little of the program's stack is in use, because that
 * needs some, and the stack may be small. */
static __attribute__((noinline)) uint64_t find_rule(struct state *s, uint64_t pc, uint64_t *set)
{
	struct cfi_rule rule;

	if (quick_is_of(set[1], pc))
		return set[1];
	if (!cfi_cache_rule(pc, &rule))
		rule = cfi_cache_learn(pc, &s->learning);
	set[1] = set[0];
	return set[0] = quick_make(pc, rule);
}

/* Ends a walk at the outermost frame. */
static bool end_outermost(struct stack_recent *r, struct steps *w, uint64_t quick)
{
	w->n = 0;
	return pass(r, w, quick);
}

/* Ends a walk at a frame that is not ordinary. */
static __attribute__((noinline)) bool end_by_rule(struct state *s, struct steps *w)
{
	struct cfi_rule rule = { .kind = CFI_NONE };

	(void)cfi_cache_rule(w->pc, &rule);
	return (rule.kind == CFI_OUTERMOST || (rule.kind == CFI_NONE && range_is_entry(w->sp))) &&
	       end_outermost(&s->recent, w, 0);
}

/* Walks until it reaches a frame of the last stack, or the outermost frame. Returns false if it
 * comes to a frame that is not ordinary. */
static NO_ASAN inline bool walk(struct state *s, struct steps *w)
{
	struct stack_recent *r = &s->recent;
	uint64_t look = look_at(r, w);

	for (;;) {
		uint64_t *set, rule, cfa, ra;

		if (w->sp >= look) {
			if (joins(r, w))
				return true;
			look = look_at(r, w);
		}
		set = quick_set(s, w->pc);
		rule = set[0];
		if (unlikely(!quick_is_of(rule, w->pc)))
			rule = find_rule(s, w->pc, set);
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
			w->zero = cfa - 8;
			return end_outermost(r, w, rule);
		}
		if (!pass(r, w, rule))
			return false;
		w->pc = ra;
		w->sp = cfa;
	}
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
	node = tree_add(&s->tree, caller, pc);
	s->head.next_id = tree_next_id(&s->tree);
	return node;
}

/* Returns the hash of a stack from that of the frames outside its innermost one. */
static inline uint64_t hash_of(uint64_t outer, uint64_t pc)
{
	uint64_t hash = (outer ^ pc) * 0x9e3779b97f4a7c15u;

	return hash ^ hash >> 32;
}

/* Makes *passed frame n of the last stack. Its CFA is `cfa`. */
static void keep_frame(struct stack_recent *r, uint32_t n, const struct recent_passed *passed,
		       uint64_t cfa)
{
	struct recent_more *m = &r->more[n];
	const struct recent_more none = { 0 }, *const outer = n ? m - 1 : &none;

	r->frame[n] = (struct recent_frame){ passed->pc, passed->sp };
	m->hash = hash_of(outer->hash, passed->pc);
	m->fp = cfa - quick_off(passed->quick);
	m->node = 0;
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
	uint64_t cfa = w->n ? w->sp : w->zero + 8;

	for (; w->more; w->more--, cfa = p->sp) {
		keep_frame(r, w->n, --p, cfa);
		if (!w->n++ && w->zero) {
			r->more[0].checks = 1;
			r->check[0] = (struct recent_check){ w->zero, 0 };
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
	uint64_t hash = m[-1].hash;

	w->n += w->more;
	for (; p-- > r->passed; f++, m++) {
		hash = hash_of(hash, p->pc);
		f->pc = p->pc;
		f->sp = p->sp;
		m->hash = hash;
		m->node = 0;
		m->checks = checks;
		m->needs_fp = false;
	}
}

/* Returns the place for the id of a stack with this hash. The word there has SEEN_ID_BITS bits of
 * the id below bits of the hash; 0 means that there is none. */
static inline uint64_t *seen_place(struct state *s, uint64_t hash)
{
	return s->recent.many ? &s->seen[hash >> (64 - SEEN_BITS)]
			      : &s->few.seen[hash >> (64 - FEW_SEEN_BITS)];
}

/* Returns the id in such a word if it belongs to a stack with this hash, otherwise 0. */
static inline uint32_t seen_id(uint64_t seen, uint64_t hash)
{
	return (seen >> SEEN_ID_BITS ^ hash) << SEEN_ID_BITS ? 0
							     : seen & ((1u << SEEN_ID_BITS) - 1);
}

/* Finds the nodes of the n frames of the last stack in the tree, and creates those that are
 * missing. Returns the last one; 0 if one must not be created now. */
static uint32_t find_nodes(struct state *s, uint32_t n)
{
	struct stack_recent *r = &s->recent;
	uint32_t i = n, node;

	while (i && !r->more[i - 1].node)
		i--;
	node = i ? r->more[i - 1].node : STACK_ROOT;
	for (; i < n; i++) {
		node = node_of(s, node, r->frame[i].pc);
		if (!node)
			return 0;
		r->more[i].node = node;
	}
	return node;
}

/* Uses the large tables from now on, if that is possible. */
static void use_large_tables(struct state *s)
{
	if (!stack_open_all(s))
		return;
	rawcall_populate(s->quick, sizeof(*s) - offsetof(struct state, quick));
	s->recent.many = true;
}

/* Returns the id of the last stack, which has n frames and is not in the small table, and stores it
 * there; 0 if there is no id. */
static __attribute__((noinline)) uint32_t find_id(struct state *s, uint32_t n)
{
	const uint64_t hash = s->recent.more[n - 1].hash;
	uint64_t *more = &s->seen_more[hash >> (64 - SEEN_MORE_BITS)];
	uint32_t id = s->recent.many ? seen_id(*more, hash) : 0;

	if (!id)
		id = find_nodes(s, n);
	if (!id || id >> SEEN_ID_BITS)
		return id;
	*seen_place(s, hash) = hash << SEEN_ID_BITS | id;
	if (s->recent.many)
		*more = hash << SEEN_ID_BITS | id;
	else if (s->tree.n >= FEW_NODES)
		use_large_tables(s);
	return id;
}

/* Returns the id of the last stack, which has n frames; 0 if there is none. */
static inline uint32_t id_of(struct state *s, uint32_t n)
{
	struct recent_more *m = &s->recent.more[n - 1];
	uint32_t id = m->node;

	if (!id)
		id = seen_id(*seen_place(s, m->hash), m->hash);
	if (unlikely(!id))
		id = find_id(s, n);
	return m->node = id;
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

/* Makes the last stack that of the arrays in *arrays, with `most` frames. It is empty. */
#define USE_ARRAYS(r, arrays, number)          \
	do {                                   \
		(r)->n = 0;                    \
		(r)->more = (arrays).more;     \
		(r)->frame = (arrays).frame;   \
		(r)->passed = (arrays).passed; \
		(r)->check = (arrays).check;   \
		(r)->most = (number);          \
	} while (0)

void recent_begin(struct state *s)
{
	if (s->recent.most != RECENT_FRAMES)
		USE_ARRAYS(&s->recent, s->recent_few, RECENT_FEW);
}

void recent_renew(struct stack_recent *r)
{
	for (uint32_t i = 0; i < r->n; i++)
		r->more[i].node = 0;
	r->many = false;
}

/* The last walk found no stack. Was the reason that the stack is too deep for the small arrays?
 * Then uses the large ones from now on. */
static __attribute__((noinline)) bool use_large_arrays(struct state *s, uint32_t n)
{
	if (s->recent.most != RECENT_FEW || n < RECENT_FEW)
		return false;
	USE_ARRAYS(&s->recent, s->recent_all, RECENT_FRAMES);
	return true;
}

/* Captures the stack. The caller owns the state. */
static inline uint32_t capture(struct state *s, uint64_t pc, uint64_t sp, uint64_t fp)
{
	struct stack_recent *r = &s->recent;
	struct steps w = { .pc = pc, .sp = sp, .first = sp, .fp = fp, .last = s->own.hi - 8 };
	const uint32_t known = s->tree.n;
	uint32_t id = 0;

	w.n = same_frames(r, r->n, sp);
	if (w.n && unlikely(r->more[w.n - 1].checks))
		w.n = same_checks(r, w.n);
	/* If longjmp leaves this function, nothing is remembered. */
	r->n = 0;
	stack_order();
	if (likely(walk(s, &w))) {
		pause_if_long(r, w.more);
		if (likely(w.n && !r->more[w.n - 1].needs_fp && !quick_starts_at_fp(w.used)))
			keep_simple(r, &w);
		else
			keep_all(r, &w);
		id = id_of(s, w.n);
		s->head.hits += s->tree.n == known;
		s->head.walks += s->tree.n != known;
	}
	stack_order();
	r->n = w.n;
	if (unlikely(!id) && !use_large_arrays(s, w.n + w.more))
		r->pause = PAUSE;
	return id;
}

uint32_t recent_capture(struct state *s, uint64_t pc, uint64_t sp, uint64_t fp)
{
	struct guard me;
	uint32_t id = 0;

	if (LINK_REGISTER || sp < s->own.lo || sp >= s->own.hi)
		return 0;
	if (unlikely(s->recent.pause)) {
		s->recent.pause--;
		return 0;
	}
	if (!guard_open(s, &me))
		return 0;
	if (likely(s->tree.first_new && s->images == cfi_cache_generation()))
		id = capture(s, pc, sp, fp);
	guard_close(s, &me);
	return id;
}

void recent_forget(struct state *s)
{
	s->recent.n = 0;
	memset(s->few_quick, 0, sizeof(s->few_quick));
	memset(s->few.seen, 0, sizeof(s->few.seen));
	if (s->recent.many) {
		memset(s->quick, 0, sizeof(s->quick));
		memset(s->seen, 0, sizeof(s->seen));
		memset(s->seen_more, 0, sizeof(s->seen_more));
	}
}
