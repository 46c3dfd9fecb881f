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
 * The frames that a walk passes are stored as a path: their addresses, rules and nodes. If the tree
 * or the table of rules is large, each access to it waits for memory. But programs repeat sequences
 * of stacks: after a path, they use the one that they used after it the last time, in five of six
 * cases of a compiler. So each path has the number of its successor, which is read ahead when a
 * capture ends. The next capture tries the rules of that path first, as long as the addresses are
 * the same. This is exact, too: they are the addresses that a walk reads, and their rules and, for
 * the frame that called them, nodes.
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
};

/* How a walk ends or stops. */
enum result {
	ON_THE_WAY,
	MISSING, /* at a frame whose rule is not in s->quick */
	JOINED,  /* at a frame of the last stack, or at the outermost frame */
	FAILED,  /* at a frame that is not ordinary */
};

/* Returns the two entries in which the rule of an address may be. */
static inline uint64_t *quick_set(struct state *s, uint64_t pc)
{
	uint64_t hash = (pc ^ pc >> QUICK_BITS) * 2;

	return s->recent.many ? &s->quick[hash & ((1 << QUICK_BITS) - 2)]
			      : &s->few.quick[hash & ((1 << FEW_QUICK_BITS) - 2)];
}

/* Returns the path that followed the one that was used last, when that was used before. */
static inline struct stack_path *expected_path(struct state *s)
{
	struct stack_path *paths = s->recent.many ? s->paths : s->few.paths;

	return &paths[paths[s->recent.path].next];
}

/* Returns the number of outermost frames of the last stack that may be unchanged, if a word has
 * changed that a walk from frame j outwards reads: those from which a walk reads only words outside
 * the outermost one that differs. */
static NO_ASAN __attribute__((noinline)) uint32_t still_same(const struct stack_recent *r,
							     uint32_t j)
{
	uint32_t same = 0, n = 0;

	while (same < r->frame[j].checks &&
	       stack_word(r->check[same].address) == r->check[same].word)
		same++;
	while (n < j && r->frame[n].checks <= same)
		n++;
	return n;
}

static NO_ASAN inline uint64_t difference(const struct recent_check *c)
{
	return stack_word(c->address) ^ c->word;
}

/* Does a walk from frame j of the last stack outwards read the same words as then? Compares all
 * words before it decides, because they are seldom different. All are in the thread's own stack
 * above the walk's sp, and were read before, so they are readable. */
static NO_ASAN inline bool same_outside(const struct stack_recent *r, uint32_t j)
{
	const struct recent_check *c = r->check, *end = c + r->frame[j].checks;
	uint64_t changed = 0;

	for (; end - c >= 4; c += 4)
		changed |=
			difference(c) | difference(c + 1) | difference(c + 2) | difference(c + 3);
	for (; c < end; c++)
		changed |= difference(c);
	return !changed;
}

/* Has the walk reached a frame of the last stack, and is everything outside it unchanged? If a
 * frame outside has changed, the walk must go on, and can meet the last stack only outside that
 * frame. */
static inline bool joins(const struct stack_recent *r, struct steps *w)
{
	const struct recent_frame *f;

	while (w->n && r->frame[w->n - 1].sp < w->sp)
		w->n--;
	if (!w->n)
		return false;
	f = &r->frame[w->n - 1];
	if (f->sp != w->sp || f->pc != w->pc || (f->needs_fp && (!w->fp_known || f->fp != w->fp)))
		return false;
	if (same_outside(r, w->n - 1))
		return true;
	w->n = still_same(r, w->n - 1);
	return false;
}

/* Adds the walk's frame to the frames that it has passed. Returns false if there are too many. */
static inline bool pass(struct stack_recent *r, struct steps *w, uint64_t quick)
{
	struct recent_frame *f;

	if (w->n + w->more >= RECENT_FRAMES)
		return false;
	f = &r->frame[RECENT_FRAMES - 1 - w->more];
	f->pc = w->pc;
	f->sp = w->sp;
	f->fp = w->fp;
	f->quick = quick;
	w->more++;
	return true;
}

/* Ends a walk at the outermost frame. `zero` is the address of its return address, if that is 0 and
 * shows that the frame is the outermost one; otherwise 0. */
static inline enum result end_outermost(struct stack_recent *r, struct steps *w, uint64_t zero,
					uint64_t quick)
{
	w->n = 0;
	w->zero = zero;
	return pass(r, w, quick) ? JOINED : FAILED;
}

/* Goes from the walk's frame, which has this rule, to its caller. `last` is the address of the last
 * word of the thread's own stack. */
static NO_ASAN inline enum result step_out(struct stack_recent *r, struct steps *w, uint64_t quick,
					   uint64_t last)
{
	bool at_fp = quick_starts_at_fp(quick);
	uint64_t sp = w->sp, cfa = (at_fp ? w->fp : sp) + quick_off(quick), at = cfa - 8, ra;
	int place = quick_fp(quick);

	if (at < sp || at > last || (at_fp && !w->fp_known))
		return FAILED;
	ra = stack_word(at);
	if (!ra)
		return end_outermost(r, w, at, quick);
	if (!pass(r, w, quick))
		return FAILED;
	w->pc = ra;
	w->sp = cfa;
	if (place == FP_KEPT)
		return ON_THE_WAY;
	w->fp_known = place != FP_LOST;
	if (!w->fp_known)
		return ON_THE_WAY;
	at = cfa + (uint64_t)(int64_t)place * 8;
	if (at < sp || at > last)
		return FAILED;
	w->fp = stack_word(at);
	return ON_THE_WAY;
}

/* Stores the rule of an address in s->quick and returns it; 0 if the frame is not ordinary. */
static __attribute__((noinline)) uint64_t learn_rule(struct state *s, uint64_t pc)
{
	uint64_t *set = quick_set(s, pc);
	struct cfi_rule rule;

	if (!cfi_cache_rule(pc, &rule))
		rule = cfi_cache_learn(pc, &s->learning);
	set[1] = set[0];
	return set[0] = quick_make(pc, rule);
}

/* Ends a walk at a frame that is not ordinary. */
static __attribute__((noinline)) enum result end_by_rule(struct state *s)
{
	struct steps *w = &s->recent.steps;
	struct cfi_rule rule = { .kind = CFI_NONE };

	(void)cfi_cache_rule(w->pc, &rule);
	if (rule.kind == CFI_OUTERMOST || (rule.kind == CFI_NONE && range_is_entry(w->sp)))
		return end_outermost(&s->recent, w, 0, 0);
	return FAILED;
}

/* Returns the rule of the walk's frame; 0 if it is missing. As long as the stack has the frames of
 * the expected path, its rules are those of the path. */
static inline uint64_t rule_of(struct state *s, const struct stack_path *path, struct steps *w)
{
	const uint64_t *set;

	if (w->left && path->at[w->left - 1].pc == w->pc)
		return path->at[--w->left].rule;
	w->as_expected = false;
	w->left = 0;
	set = quick_set(s, w->pc);
	return quick_is_of(set[0], w->pc) ? set[0] : quick_is_of(set[1], w->pc) ? set[1] : 0;
}

/* Walks until there is a result. */
static __attribute__((noinline)) enum result walk(struct state *s)
{
	const struct stack_path *path = expected_path(s);
	struct steps w = s->recent.steps;
	const uint64_t last = s->own.hi - 8;
	enum result result = ON_THE_WAY;

	while (result == ON_THE_WAY) {
		if (joins(&s->recent, &w)) {
			result = JOINED;
		} else {
			uint64_t rule = rule_of(s, path, &w);

			result = rule ? step_out(&s->recent, &w, rule, last) : MISSING;
		}
	}
	s->recent.steps = w;
	return result;
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

static inline void add_check(struct stack_recent *r, struct recent_frame *f, uint64_t address,
			     uint64_t word)
{
	r->check[f->checks++] = (struct recent_check){ address, word };
}

/* Makes *passed, a frame with this node that the walk has passed, frame n of the last stack. `zero`
 * is as in struct steps. */
static inline void keep_frame(struct stack_recent *r, uint32_t n, const struct recent_frame *passed,
			      uint32_t node, uint64_t zero)
{
	struct recent_frame *f = &r->frame[n];
	const struct recent_frame *outer = n ? f - 1 : NULL;
	const uint64_t quick = passed->quick; /* *f may be *passed */
	int place = quick_fp(quick);

	f->pc = passed->pc;
	f->sp = passed->sp;
	f->fp = passed->fp;
	f->node = node;
	f->needs_fp = quick_starts_at_fp(quick);
	f->checks = 0;
	if (!outer) {
		if (zero)
			add_check(r, f, zero, 0);
		return;
	}
	f->checks = outer->checks;
	add_check(r, f, outer->sp - 8, outer->pc);
	if (outer->needs_fp && place == FP_KEPT)
		f->needs_fp = true;
	else if (outer->needs_fp)
		add_check(r, f, outer->sp + (uint64_t)(int64_t)place * 8, outer->fp);
}

/* Does the path consist of these n frames, and was the first one called by the frame with the node
 * `outer`? */
static inline bool path_is(const struct stack_path *p, uint32_t outer,
			   const struct recent_frame *passed, uint32_t n)
{
	uint64_t differ = (p->outer ^ outer) | (p->n ^ n);

	for (uint32_t i = 0; i < n; i++)
		differ |= p->at[i].pc ^ passed[i].pc;
	return !differ;
}

/* Stores the nodes of n frames in *p, and creates those that are missing. Returns false if a node
 * must not be created now. */
static __attribute__((noinline)) bool make_path(struct state *s, struct stack_path *p,
						uint32_t outer, const struct recent_frame *passed,
						uint32_t n)
{
	uint32_t node = outer;

	p->n = 0; /* longjmp may leave this function */
	stack_order();
	for (uint32_t i = 0; i < n; i++) {
		node = node_of(s, node, passed[i].pc);
		if (!node)
			return false;
		p->at[i].pc = passed[i].pc;
		p->at[i].rule = quick_rule(passed[i].quick);
		p->at[i].node = node;
	}
	p->outer = outer;
	stack_order();
	p->n = n;
	return true;
}

/* Returns the path of these n frames, of which the first was called by the frame with the node
 * `outer`. Stores it if it is missing. Returns NULL if a node must not be created now. */
static inline struct stack_path *find_path(struct state *s, uint32_t outer,
					   const struct recent_frame *passed, uint32_t n)
{
	struct stack_recent *r = &s->recent;
	struct stack_path *p = s->recent.many ? s->paths : s->few.paths;
	uint64_t hash = outer;

	for (uint32_t i = 0; i < n; i++)
		hash = (hash ^ passed[i].pc) * 0x9e3779b97f4a7c15u;
	hash ^= hash >> 32;
	p += hash & (r->many ? (1 << PATH_BITS) - 2 : (1 << FEW_PATH_BITS) - 2);
	__builtin_prefetch(p + 1);
	if (path_is(p, outer, passed, n))
		return p;
	if (path_is(p + 1, outer, passed, n))
		return p + 1;
	p += p->n ? r->turn++ & 1 : 0;
	return make_path(s, p, outer, passed, n) ? p : NULL;
}

/* Remembers that p was used after the path that was used last, and reads ahead the one that was
 * used after p the last time. */
static inline void use_path(struct state *s, struct stack_path *p)
{
	struct stack_recent *r = &s->recent;
	struct stack_path *paths = s->recent.many ? s->paths : s->few.paths;
	uint32_t i = (uint32_t)(p - paths);

	if (paths[r->path].next != i)
		paths[r->path].next = i;
	r->path = i;
	__builtin_prefetch(paths + p->next);
}

/* Adds the frames that the walk has passed to those that it has joined. Returns the id of the
 * stack; 0 if a node could not be created. */
static inline uint32_t keep_frames(struct state *s)
{
	struct stack_recent *r = &s->recent;
	struct steps *w = &r->steps;
	uint32_t node = w->n ? r->frame[w->n - 1].node : STACK_ROOT, at = w->left;
	struct stack_path *path = expected_path(s);

	if (!w->as_expected || node != (at ? path->at[at - 1].node : path->outer))
		path = NULL;
	for (; w->more; path = NULL) {
		const struct recent_frame *passed = &r->frame[RECENT_FRAMES - w->more];
		uint32_t n = w->more < PATH_FRAMES ? w->more : PATH_FRAMES;

		if (!path) {
			path = find_path(s, node, passed, n);
			at = 0;
		}
		if (!path)
			return 0;
		use_path(s, path);
		for (uint32_t i = 0; i < n; i++)
			keep_frame(r, w->n + i, passed + i, path->at[at + i].node, w->zero);
		node = path->at[at + n - 1].node;
		w->n += n;
		w->more -= n;
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
	pause_if_long(r, more);
	if (!id)
		r->pause = PAUSE;
	else if (s->tree.n > known)
		s->head.walks++;
	else
		s->head.hits++;
	if (!r->many && s->tree.n > known && s->tree.n >= FEW_NODES) {
		r->many = stack_open_all(s);
		r->path = 0;
	}
	return id;
}

/* Captures the stack. The caller owns the state. Learns rules only here, where little of the
 * program's stack is in use, because that needs some, and the stack may be small. */
static inline uint32_t capture(struct state *s, const struct frame *f)
{
	struct stack_recent *r = &s->recent;
	enum result result;

	/* Member by member: gcc fills a struct that is assigned at once with `rep stos`, and the
	 * loads of the walk would wait for that. */
	r->steps.pc = f->pc;
	r->steps.sp = f->sp;
	r->steps.fp = f->reg[FP];
	r->steps.fp_known = true;
	r->steps.zero = 0;
	r->steps.n = r->n;
	r->steps.more = 0;
	r->steps.as_expected = true;
	r->steps.left = expected_path(s)->n;
	/* If longjmp leaves this function, nothing is remembered. */
	r->n = 0;
	stack_order();
	while ((result = walk(s)) == MISSING) {
		r->steps.as_expected = false;
		r->steps.left = 0;
		if (!learn_rule(s, r->steps.pc))
			break;
	}
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
	memset(s->few.paths, 0, sizeof(s->few.paths));
	if (s->recent.many) {
		memset(s->quick, 0, sizeof(s->quick));
		memset(s->paths, 0, sizeof(s->paths));
	}
}
