/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One thread's state for stack.h, shared by the files that implement it:
 *
 *   stack.c          a capture: compares with what is remembered, completes the rest
 *   stack_walk.c     walks by unwind rules and fills segments
 *   stack_nodes.c    the ids of a walk's segments, and the frames not yet written
 *   stack_guard.c    who may change the state: a thread or one of its signal handlers
 *   stack_segment.h  what is remembered, and whether it is valid now
 */
#ifndef MEMDB_PRELOAD_STACK_STATE_H
#define MEMDB_PRELOAD_STACK_STATE_H

#include "cfi_cache.h"
#include "stack.h"
#include "stack_range.h"
#include "stack_segment.h"
#include "stack_tree.h"

#include <stdatomic.h>

enum {
	WAYS = 8,
	SET_BITS = 10,
	SETS = 1 << SET_BITS,
	/* while fewer slots are in use, only few sets are used, so that few pages are touched */
	FEW_SLOTS = 256,
	FEW_SET_BITS = 7,
	STATE_PAGE = 4096,
	SPARES = 128, /* for a walk that fills all ways of a set; never found again */
	SLOTS = 1 + SETS * WAYS + SPARES,
	CHAIN = 8192, /* limit on segments of one stack */
	KNOWN_BITS = 12,
	PIECE = 512,          /* limit on frames returned at once */
	FULL_NODES = 1 << 20, /* limit on frames in the tree of complete stacks, … */
	/* … and this one includes those of shortened stacks */
	MOST_NODES = FULL_NODES + FULL_NODES / 4,
	SHORT_FRAMES = 8,    /* a shortened stack keeps at least this number of frames */
	NEW_NODES = 1 << 16, /* not taken by the caller: beyond this they are dropped */
};

/* Refers to a segment by its slot in the array. Slots are assigned in the order of use, so that a
 * program that needs few touches few pages. */
struct way {
	uint16_t tag;  /* 0: empty */
	uint16_t slot; /* 0: none yet */
};

/* The node of a segment's innermost frame under some outer node that is not the last one seen. */
struct known_node {
	uint64_t serial;
	uint32_t outer;
	uint32_t node;
};

/* The state of a walk and of the segment that it fills. The walk stops when a rule must be learned
 * and continues afterwards, so that the stack use of both does not add up. */
struct walk {
	struct segment *g;       /* NULL between two segments */
	struct segment *inner;   /* the segment before it, NULL: none */
	struct way *way;         /* where it will be found, NULL: nowhere */
	uint64_t pc;             /* of its first frame */
	bool single;             /* it has one frame only */
	uint32_t n;              /* segments in the chain so far */
	uint64_t missing;        /* the address whose rule is missing, 0: none */
	uint64_t learned_pc;     /* the address learned last, 0: none, … */
	struct cfi_rule learned; /* … and its rule */
	struct frame at;
	struct stack_reach range;
	/* where the value came from inside this segment: an address, or 0: from before */
	uint64_t origin[REGS];
	unsigned checked; /* bit r: the word at origin[r] is already among the checks */
	unsigned depth;   /* frames walked by rules; remembered ones do not count */
	/* the segment depends on more than it stores: must not be found again */
	bool forget;
};

/* Exists while a capture changes the state. It lies on the capture's stack, so that one that never
 * returned is detected. */
struct guard {
	_Atomic uint64_t token;
};

struct state {
	struct stack_thread head;
	uint32_t images; /* generation of the code from which everything below was learned */
	_Atomic uint64_t changes; /* counts how often the state was opened for changes */
	struct guard *_Atomic holder;
	struct stack_frames *_Atomic taker; /* of the stack_take_new() loop that is running */
	/* smaller ids were returned to the taker; they count as written when it calls again */
	uint32_t handed;
	uint64_t handed_at; /* stack_moves() at that time */
	struct stack_tree tree;
	struct stack_range own;
	struct walk walk;             /* not on the program's stack, which may be small */
	struct cfi_learning learning; /* likewise */
	uint64_t builds;
	uint32_t epoch;
	uint32_t turn;  /* the way to replace next */
	uint32_t slots; /* slots assigned; the spare ones are at the end of the array */
	uint32_t spares;
	uint16_t chain[CHAIN]; /* segments of the current stack, innermost first */
	/* likewise, for a handler that interrupted a capture which needs `chain` */
	uint16_t chain_of_handler[CHAIN];
	uint64_t pcs[PIECE];
	/* In a fresh state everything from here to the end is zero. */
	struct way ways[SETS][WAYS] __attribute__((aligned(64)));
	struct known_node known[1 << KNOWN_BITS];
	struct segment segments[SLOTS]; /* [0] is never valid */
};

_Static_assert(sizeof(struct state) <= STACK_THREAD_SIZE,
	       "the state fits what the header promises");

static inline struct state *stack_state(struct stack_thread *t)
{
	return (struct state *)t;
}

/* Compiler barrier between stores that a signal handler must see in this order. */
static inline void stack_order(void)
{
	atomic_signal_fence(memory_order_seq_cst);
}

/* Changes with every capture before the current one or interrupting it. */
static inline uint64_t stack_moves(const struct state *s)
{
	return atomic_load_explicit(&s->changes, memory_order_relaxed) +
	       *(const volatile uint64_t *)&s->head.hits;
}

/* The set in which a segment is found. When the number of sets in use grows, segments remembered so
 * far are learned again. */
static inline struct way *stack_set(struct state *s, uint64_t hash)
{
	return s->ways[hash >> (64 - (s->slots < FEW_SLOTS ? FEW_SET_BITS : SET_BITS))];
}

/* The remembered segment that starts at a frame and is valid now; NULL if there is none. */
static inline struct segment *stack_find(struct state *s, const struct frame *f)
{
	uint64_t hash = segment_hash(f->pc, f->sp);
	const struct way *set = stack_set(s, hash);
	uint16_t tag = segment_tag(hash);

	for (unsigned i = 0; i < WAYS; i++) {
		if (set[i].tag == tag && segment_holds(&s->segments[set[i].slot], f))
			return &s->segments[set[i].slot];
	}
	return NULL;
}

/*
 * Fills s->chain with the segments of a stack, walking what is not remembered. Call
 * stack_walk_from(), then stack_walk() until it returns true; whenever it returns false, learn the
 * rule of s->walk.missing first. s->walk.n is the number of segments: 0 if there is no room for
 * one, less than all if there is no room for the rest.
 */
void stack_walk_from(struct state *s, const struct frame *f);
bool stack_walk(struct state *s);

/* The id of the stack whose n segments are in s->chain; 0 if memory or ids are used up. Frames
 * beyond the chain are truncated. */
uint32_t stack_resolve(struct state *s, uint32_t n);

/* Forgets all segments and nodes. Ids used so far are not used again, because their meaning may
 * have changed. */
void stack_forget(struct state *s);

/* Opens the state for changes; false if that would interrupt another change. me is a local variable
 * of the caller. After true, call guard_close(). */
bool guard_open(struct state *s, struct guard *me);
void guard_close(struct state *s, struct guard *me);

/* Does me, which lies in the stack frame of a stack_take_new() loop, get the new frames? Not if it
 * interrupted another such loop. */
bool guard_take(struct state *s, struct stack_frames *me);

/* The stack_take_new() loop has ended. */
void guard_taken(struct state *s, struct stack_frames *me);

/* Marks the state as not held, and no loop as running. */
void guard_clear(struct state *s);

#endif
