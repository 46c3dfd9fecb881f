/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One thread's state for stack.h, shared by the files that implement it:
 *
 *   stack.c          a capture: compares with remembered segments, completes the rest
 *   stack_walk.c     walks by unwind rules and fills segments
 *   stack_nodes.c    the ids of a walk's segments, and the frames not yet written
 *   stack_guard.c    decides who may change the state: a thread or one of its signal handlers
 *   stack_segment.h  a remembered segment, and whether it is valid now
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
	SPARES = 128, /* for a walk that fills all ways of a set; later walks do not find these */
	SLOTS = 1 + SETS * WAYS + SPARES,
	CHAIN = 8192, /* limit on segments of one stack */
	KNOWN_BITS = 12,
	PIECE = 512,          /* limit on frames returned at once */
	FULL_NODES = 1 << 20, /* limit on frames in the tree of complete stacks */
	/* the same limit, including the frames of shortened stacks */
	MOST_NODES = FULL_NODES + FULL_NODES / 4,
	SHORT_FRAMES = 8,    /* a shortened stack keeps at least this number of frames */
	NEW_NODES = 1 << 16, /* limit on new frames not taken by the caller; more are dropped */
};

/* Refers to a segment by its slot in the array. Slots are assigned in the order of use, so a
 * program that needs few of them touches few pages. */
struct way {
	uint16_t tag;  /* 0 means empty */
	uint16_t slot; /* 0 means none yet */
};

/* The node of a segment's innermost frame under an outer node other than the last one. */
struct known_node {
	uint64_t serial;
	uint32_t outer;
	uint32_t node;
};

/*
 * The state of a walk and of the segment that it fills. The walk stops when a rule is missing and
 * continues afterwards, so that the stack use of the walk and of cfi_cache_learn() does not add up.
 */
struct walk {
	struct segment *g;       /* NULL between two segments */
	struct segment *inner;   /* the segment inside this one; NULL means none */
	struct way *way;         /* the way that will refer to the segment; NULL means none */
	uint64_t pc;             /* pc of the segment's first frame */
	bool single;             /* the segment will have one frame only */
	uint32_t n;              /* segments in the chain so far */
	uint64_t missing;        /* address whose rule is missing; 0 means none */
	uint64_t learned_pc;     /* address whose rule was learned last; 0 means none */
	struct cfi_rule learned; /* the rule of learned_pc */
	struct frame at;
	struct stack_reach range;
	/* address in this segment from which the register's value came; 0 means from inside */
	uint64_t origin[REGS];
	unsigned checked; /* bit r: the word at origin[r] is already among the checks */
	unsigned depth;   /* frames walked by rules; remembered ones do not count */
	/* the segment depends on more than it stores, and must not be found again */
	bool forget;
};

/* The mark of a capture that changes the state. It lies in the capture's stack frame, so that a
 * capture that never returned is detected. */
struct guard {
	_Atomic uint64_t token;
};

struct state {
	struct stack_thread head;
	uint32_t images;          /* generation of the code when everything below was learned */
	_Atomic uint64_t changes; /* number of times that the state was opened for changes */
	struct guard *_Atomic holder;
	struct stack_frames *_Atomic taker; /* of the running stack_take_new() loop */
	/* smaller ids were returned to the taker; they count as written when it calls again */
	uint32_t handed;
	uint64_t handed_at; /* value of stack_moves() then */
	struct stack_tree tree;
	struct stack_range own;
	struct walk walk;             /* not on the program's stack, which may be small */
	struct cfi_learning learning; /* not on the program's stack, either */
	uint64_t builds;
	uint32_t epoch;
	uint32_t turn;  /* the way to replace next */
	uint32_t slots; /* slots assigned; the spare ones are at the end of the array */
	uint32_t spares;
	uint16_t chain[CHAIN]; /* segments of the current stack, innermost first */
	/* the same, for a handler that interrupted a capture which needs `chain` */
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

/* Orders stores that a signal handler must see in this order (a compiler barrier). */
static inline void stack_order(void)
{
	atomic_signal_fence(memory_order_seq_cst);
}

/*
 * Returns a number that changes with every capture, earlier ones and ones that interrupt this one.
 */
static inline uint64_t stack_moves(const struct state *s)
{
	return atomic_load_explicit(&s->changes, memory_order_relaxed) +
	       *(const volatile uint64_t *)&s->head.hits;
}

/* Returns the set in which a segment is found. When the number of sets in use grows, remembered
 * segments are learned again. */
static inline struct way *stack_set(struct state *s, uint64_t hash)
{
	return s->ways[hash >> (64 - (s->slots < FEW_SLOTS ? FEW_SET_BITS : SET_BITS))];
}

/* Returns the remembered segment that starts at a frame and is valid now; NULL if there is none. */
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
 * Fill s->chain with the segments of a stack, and walk the part that is not remembered. Call
 * stack_walk_from(), then stack_walk() until it returns true. Whenever it returns false, learn the
 * rule of s->walk.missing first. s->walk.n is the number of segments: 0 if there is no room for
 * one, less than all if there is no room for the rest.
 */
void stack_walk_from(struct state *s, const struct frame *f);
bool stack_walk(struct state *s);

/* Returns the id of the stack whose n segments are in s->chain; 0 if memory or ids are used up.
 * Frames beyond the chain are truncated. */
uint32_t stack_resolve(struct state *s, uint32_t n);

/* Forgets all segments and nodes. Ids used so far are not used again, because their meaning may
 * have changed. */
void stack_forget(struct state *s);

/* Opens the state for changes. Returns false if that would interrupt another change. me is a local
 * variable of the caller. After true, call guard_close(). */
bool guard_open(struct state *s, struct guard *me);
void guard_close(struct state *s, struct guard *me);

/* Does me, which lies in the stack frame of a stack_take_new() loop, get the new frames? It does
 * not if it interrupted another such loop. */
bool guard_take(struct state *s, struct stack_frames *me);

/* Ends the stack_take_new() loop of me. */
void guard_taken(struct state *s, struct stack_frames *me);

/* Marks the state as not held, and no loop as running. */
void guard_clear(struct state *s);

#endif
