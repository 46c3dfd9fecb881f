/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cfi_cache.h"
#include "rawcall.h"
#include "stack_state.h"

#include <string.h>
#include <sys/mman.h>

/* The result of comparing a stack with the segments that are remembered (see stack_segment.h). */
struct found {
	/* number of valid segments, innermost first; 0 means that the stack is not remembered
	 * completely */
	uint32_t segments;
	/* id of the stack; 0 means that a segment does not remember its node for these outer frames
	 */
	uint32_t id;
};

/* Returns the valid segment whose innermost frame is f, the caller of segment g's outermost frame;
 * NULL if there is none. First tries the segment that followed g the last time, because it is
 * usually the right one. */
static inline struct segment *find_outer(struct state *s, struct segment *g, const struct frame *f)
{
	struct segment *outer = &s->segments[g->next];

	if (likely(segment_holds(outer, f) && f->pc))
		return outer;
	outer = stack_find(s, f);
	if (outer)
		g->next = (uint16_t)(outer - s->segments);
	return outer;
}

/* Compares the stack, from frame f outwards, with the remembered segments. Stores the valid
 * segments in `chain`. Changes only `chain` and the members `next` of segments, so a signal handler
 * may call this function at any time. */
static inline struct found follow_segments(struct state *s, struct frame f, uint16_t *chain)
{
	struct segment *g = stack_find(s, &f);
	struct found found = { .id = g ? g->node : 0 };

	for (uint32_t n = 0; g && n < CHAIN; n++) {
		uint32_t outer = g->outer;

		chain[n] = (uint16_t)(g - s->segments);
		if (g->end != END_EXIT) {
			found.segments = n + 1;
			break;
		}
		segment_leave(g, &f);
		g = find_outer(s, g, &f);
		if (g && g->node != outer)
			found.id = 0;
	}
	return found;
}

/* Begins an empty tree. */
static void begin_tree(struct state *s)
{
	tree_begin(&s->tree, STACK_FIRST_ID, &s->few.tree);
	s->head.taken_id = STACK_FIRST_ID;
	s->head.next_id = STACK_FIRST_ID;
}

/* Prepares the state for a walk. Begins a tree if the state is fresh. Empties the list of new
 * frames if all of them have been written to the log. If code may have been unloaded or the list is
 * full, forgets all segments and returns true. */
static bool prepare_walk(struct state *s, uint64_t sp)
{
	uint32_t images = cfi_cache_generation();
	bool stale;

	if (!s->tree.first_new)
		begin_tree(s);
	if (s->head.taken_id == tree_next_id(&s->tree))
		tree_forget_new(&s->tree);
	stale = s->images != images || s->tree.n_new > NEW_NODES;
	if (stale)
		stack_forget(s);
	s->images = images;
	if (!s->own.hi) {
		recent_begin(s);
		range_find_own(&s->own, sp);
	}
	return stale;
}

/* Walks the stack where it is not remembered, and stores its segments in s->chain. Returns their
 * number. */
static uint32_t walk_stack(struct state *s, const struct frame *f)
{
	struct walk *w = &s->walk;

	stack_walk_from(s, f);
	while (!stack_walk(s)) {
		w->learned = cfi_cache_learn(w->missing, &s->learning);
		w->learned_pc = w->missing;
		w->missing = 0;
	}
	return w->n;
}

/* Walks the part of the stack that is not remembered, and creates the nodes that the tree lacks.
 * Returns the id of the stack. The first n segments in s->chain were found valid when
 * stack_moves() returned `seen`; if stack_moves() now returns a different number, a signal handler
 * has captured a stack since then, and all segments are searched again. */
static __attribute__((noinline)) uint32_t complete_walk(struct state *s, const struct frame *f,
							uint32_t n, uint64_t seen)
{
	struct guard me;
	uint32_t id = 0;

	if (guard_open(s, &me)) {
		if (prepare_walk(s, f->sp) || !n || seen + 1 != stack_moves(s))
			n = walk_stack(s, f);
		if (n)
			id = stack_resolve(s, n);
		guard_close(s, &me);
		s->head.walks++;
	}
	s->head.lost += !id;
	return id ? id : STACK_TRUNCATED;
}

/* Captures the stack by comparing it with the remembered segments. */
static __attribute__((noinline)) uint32_t capture_by_segments(struct state *s, uint64_t pc,
							      uint64_t sp, uint64_t fp)
{
	struct frame f = { .pc = pc, .sp = sp, .reg = { [FP] = fp }, .known = 1 << FP };
	struct found found = { 0 };
	uint64_t seen = stack_moves(s);
	/* Read only once, because the owner may give up the state during this function. If `holder`
	 * were read again below, this capture might use s->chain, although its segments are in
	 * s->chain_of_handler. */
	bool owned = atomic_load_explicit(&s->holder, memory_order_relaxed);

	stack_order();
	if (s->images == cfi_cache_generation())
		found = follow_segments(s, f, owned ? s->chain_of_handler : s->chain);
	stack_order();
	if (!found.segments || !found.id || stack_moves(s) != seen)
		return complete_walk(s, &f, owned ? 0 : found.segments, seen);
	s->head.hits++;
	return found.id;
}

/* Captures the stack if recent_capture() could not. If it could not because this is the thread's
 * first capture, or because its arrays were too small, it is tried again: segments would be on more
 * pages. */
static __attribute__((noinline)) uint32_t capture_otherwise(struct state *s, uint64_t pc,
							    uint64_t sp, uint64_t fp)
{
	struct guard me;
	uint32_t id = 0;

	if (!s->own.hi && guard_open(s, &me)) {
		prepare_walk(s, sp);
		guard_close(s, &me);
	}
	if (!s->recent.pause)
		id = recent_capture(s, pc, sp, fp);
	return id ? id : capture_by_segments(s, pc, sp, fp);
}

uint32_t stack_capture(struct stack_thread *t, uint64_t pc, uint64_t sp, uint64_t fp)
{
	uint32_t id = recent_capture(stack_state(t), pc, sp, fp);

	return likely(id) ? id : capture_otherwise(stack_state(t), pc, sp, fp);
}

void stack_reserve(struct stack_thread *t)
{
	struct state *s = stack_state(t);
	struct guard me;

	if (!guard_open(s, &me))
		return;
	tree_reserve(&s->tree);
	stack_open_all(s);
	guard_close(s, &me);
}

void stack_init(void *dl_find_object)
{
	cfi_cache_init(dl_find_object);
}

void stack_images_changed(void)
{
	cfi_cache_forget();
}

void stack_thread_moved(struct stack_thread *t)
{
	struct state *s = stack_state(t);

	s->own = (struct stack_range){ 0 };
	s->recent.n = 0;
	guard_clear(s);
}

bool stack_reset(struct stack_thread *t)
{
	struct state *s = stack_state(t);
	char *begin = (char *)&s->few;
	char *end = s->is_open ? (char *)(s + 1) : (char *)s + STACK_FIRST_BYTES;

	if (!guard_is_free(s, &s))
		return false;
	tree_renew(&s->tree);
	/* Freeing the pages is cheaper than writing zeros: after fork, the kernel would copy each
	 * page that is written. */
	if (rawcall4(SYS_madvise, (long)begin, (end - begin + STATE_PAGE - 1) & -STATE_PAGE,
		     MADV_DONTNEED, 0))
		memset(begin, 0, (size_t)(end - begin));
	s->slots = s->spares = 0;
	recent_renew(&s->recent);
	guard_clear(s);
	begin_tree(s);
	return true;
}
