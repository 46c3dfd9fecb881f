/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One thread's state of stack.h, shared by the files that implement it:
 *
 *   stack.c          a capture: compares with what is remembered, else completes
 *   stack_walk.c     walks by unwind rules and fills segments
 *   stack_nodes.c    the ids of a walk's segments, and the frames not yet written
 *   stack_guard.c    who may change the state, among a thread and its signal handlers
 *   stack_segment.h  what is remembered, and whether it holds now
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
	FEW_SLOTS = 256, /* below it few sets are used, so that few pages are touched */
	FEW_SET_BITS = 7,
	STATE_PAGE = 4096,
	SPARES = 128, /* for a walk that fills all ways of a set; never found again */
	SLOTS = 1 + SETS * WAYS + SPARES,
	CHAIN = 8192, /* most segments of one stack */
	KNOWN_BITS = 12,
	PIECE = 512,          /* most frames handed out at once */
	FULL_NODES = 1 << 20, /* as many frames has the tree of whole stacks, … */
	MOST_NODES = FULL_NODES + FULL_NODES / 4, /* … and this many with those of shortened ones */
	SHORT_FRAMES = 8,                         /* which have at least so many */
	NEW_NODES = 1 << 16, /* not taken by the caller: more than this are given up */
};

/* Where a segment is found: its place in the array, given out in the order of need so that few
 * pages are touched by a program that needs few. */
struct way {
	uint16_t tag;  /* 0: nothing is found here */
	uint16_t slot; /* 0: none yet */
};

/* The node of a segment's innermost frame under some outer node, where that is not the last one
 * seen. */
struct known_node {
	uint64_t serial;
	uint32_t outer;
	uint32_t node;
};

/* A walk, and the segment that it fills. It stops where a rule has to be learned, and goes on
 * after: so that what both use of the program's stack does not add up. */
struct walk {
	struct segment *g;       /* NULL between two */
	struct segment *inner;   /* the one before it, NULL none */
	struct way *way;         /* where it will be found, NULL nowhere */
	uint64_t pc;             /* of its first frame */
	bool single;             /* it has one frame only */
	uint32_t n;              /* segments in the chain so far */
	uint64_t missing;        /* the address whose rule is missing, 0 none */
	uint64_t learned_pc;     /* and the one that was missing last, 0 none, … */
	struct cfi_rule learned; /* … with its rule */
	struct frame at;
	struct stack_reach range;
	uint64_t origin[REGS]; /* where the value came from inside this segment: an address, or 0
				  from before */
	unsigned checked;      /* bit r: the word at origin[r] is among the checks already */
	unsigned depth;        /* frames walked by rules, not remembered ones */
	bool forget;           /* the segment depends on more than it says: not to be found again */
};

/* Set while a capture changes the state; lies on its stack, so that one that never came back is
 * seen. */
struct guard {
	_Atomic uint64_t token;
};

struct state {
	struct stack_thread head;
	uint32_t images; /* generation of the code that everything below was learned from */
	_Atomic uint64_t changes; /* counts the times that the state was opened for changes */
	struct guard *_Atomic holder;
	struct stack_frames *_Atomic taker; /* of the loop over stack_take_new() that goes on */
	uint32_t handed;    /* ids below are with the taker: written when it comes back */
	uint64_t handed_at; /* stack_moves() then */
	struct stack_tree tree;
	struct stack_range own;
	struct walk walk;             /* here and not on the program's stack, which may be small */
	struct cfi_learning learning; /* likewise */
	uint64_t builds;
	uint32_t epoch;
	uint32_t turn;  /* which way goes next */
	uint32_t slots; /* given out; the spare ones are at the array's end */
	uint32_t spares;
	uint16_t chain[CHAIN];            /* segments of the current stack, innermost first */
	uint16_t chain_of_handler[CHAIN]; /* the same, while a capture that was interrupted needs
					     chain */
	uint64_t pcs[PIECE];
	/* From here to the end all is zero in a fresh state. */
	struct way ways[SETS][WAYS] __attribute__((aligned(64)));
	struct known_node known[1 << KNOWN_BITS];
	struct segment segments[SLOTS]; /* [0] holds for nothing */
};

_Static_assert(sizeof(struct state) <= STACK_THREAD_SIZE,
	       "the state fits what the header promises");

static inline struct state *stack_state(struct stack_thread *t)
{
	return (struct state *)t;
}

/* Between stores that a signal handler must see in this order. */
static inline void stack_order(void)
{
	atomic_signal_fence(memory_order_seq_cst);
}

/* Moves with every capture that went before the current one or interrupted it. */
static inline uint64_t stack_moves(const struct state *s)
{
	return atomic_load_explicit(&s->changes, memory_order_relaxed) +
	       *(const volatile uint64_t *)&s->head.hits;
}

/* Where a segment is found. When there are no longer few, those remembered by then are learned once
 * more. */
static inline struct way *stack_set(struct state *s, uint64_t hash)
{
	return s->ways[hash >> (64 - (s->slots < FEW_SLOTS ? FEW_SET_BITS : SET_BITS))];
}

/* The remembered segment that starts at a frame and holds now; NULL where there is none. */
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
 * Fills s->chain with the segments of a stack, walking what is not remembered. After
 * stack_walk_from() stack_walk() is called until it is true: when not, the rule of s->walk.missing
 * is to be learned first. s->walk.n is the number of segments: 0 where there is no room for one,
 * less than all where there is none for the rest.
 */
void stack_walk_from(struct state *s, const struct frame *f);
bool stack_walk(struct state *s);

/* The id of the stack whose n segments are in s->chain; 0 where memory or ids are used up. What the
 * chain does not reach is truncated. */
uint32_t stack_resolve(struct state *s, uint32_t n);

/* Forgets all segments and nodes. Ids in use so far are not used again, for nobody knows whether
 * they mean what they meant. */
void stack_forget(struct state *s);

/* Before changes to the state: whether they may be made. Not while one that was interrupted makes
 * some; me is a local variable of the caller. Every true is followed by guard_close(). */
bool guard_open(struct state *s, struct guard *me);
void guard_close(struct state *s, struct guard *me);

/* Whether me, which stands in the stack frame of a loop over stack_take_new(), gets the new frames:
 * not where one that it interrupted does. */
bool guard_take(struct state *s, struct stack_frames *me);

/* The loop over stack_take_new() has ended. */
void guard_taken(struct state *s, struct stack_frames *me);

/* Nobody holds the state, nor takes frames. */
void guard_clear(struct state *s);

#endif
