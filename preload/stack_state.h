/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One thread's state for call_stack.h, shared by the files that implement it:
 *
 *   call_stack.c     a capture: compares with remembered segments, completes the rest
 *   stack_recent.c   an ordinary capture: compares with the thread's last stack
 *   stack_walk.c     walks by unwind rules and fills segments
 *   stack_nodes.c    the ids of a walk's segments, and the frames not yet written
 *   stack_guard.c    decides who may change the state: a thread or one of its signal handlers
 *   stack_quick.h    the rule of an ordinary frame in one word
 *   stack_segment.h  a remembered segment, and whether it is valid now
 */
#ifndef MEMDB_PRELOAD_STACK_STATE_H
#define MEMDB_PRELOAD_STACK_STATE_H

#include "cfi_cache.h"
#include "call_stack.h"
#include "likely.h"
#include "stack_quick.h"
#include "stack_range.h"
#include "stack_segment.h"
#include "stack_tree.h"

#include <stdatomic.h>

enum {
	WAYS = 8,
	SET_BITS = 10,
	SETS = 1 << SET_BITS,
	/* while fewer slots than this are assigned, struct few is used, so that few pages are
	 * touched */
	FEW_SLOTS = 256,
	FEW_SET_BITS = 6,
	FEW_KNOWN_BITS = 6,
	FEW_NODES = 256, /* the same for the number of nodes and the array quick */
	FEW_QUICK_BITS = 8,
	QUICK_BITS = 14,
	FEW_SEEN_BITS = 7,
	SEEN_BITS = 14,
	SEEN_MORE_BITS = 15,
	SEEN_ID_BITS = 24,
	STATE_PAGE = 4096,
	/* number of extra slots. They hold segments that get no way, because the current walk uses
	 * all ways of their set. Later walks do not find such segments */
	SPARES = 128,
	SLOTS = FEW_SLOTS + SETS * WAYS + SPARES,
	CHAIN = 8192, /* maximum number of segments of one stack */
	KNOWN_BITS = 12,
	PIECE = 256,          /* maximum number of frames that one call of stack_take_new()
			       * returns */
	FULL_NODES = 1 << 20, /* if the tree has this many frames, new stacks are shortened */
	/* maximum number of frames in the tree, including those of shortened stacks */
	MOST_NODES = FULL_NODES + FULL_NODES / 4,
	SHORT_FRAMES = 8,    /* a shortened stack keeps at least this many frames */
	NEW_NODES = 1 << 16, /* if more new frames than this wait to be taken, the next walk drops
			      * all of them */
};

/* An entry of the hash table of segments: contains the number of a segment in s->segments (its
 * slot). Slots are assigned in ascending order, so a program that needs few slots touches few
 * pages. */
struct way {
	uint16_t tag;  /* 0 means that the way is empty */
	uint16_t slot; /* 0 means that no slot is assigned yet */
};

/* The node that a segment has with one outer node (the node of its caller). The segment itself
 * remembers this only for the outer node with which it was used last. */
struct known_node {
	uint64_t serial;
	uint32_t outer;
	uint32_t node;
};

/* What a thread with few stacks needs, on a few pages. What an ordinary capture needs is on the
 * first one. */
struct few {
	struct tree_start tree;
	uint64_t seen[1 << FEW_SEEN_BITS];
	struct way ways[1 << FEW_SET_BITS][WAYS] __attribute__((aligned(64)));
	struct known_node known[1 << FEW_KNOWN_BITS];
};

_Static_assert(offsetof(struct few, ways) <= STATE_PAGE, "tree and seen are on one page");

/* The state of a walk, and of the segment that it fills. When a rule is missing, stack_walk()
 * returns, the caller learns the rule, and the walk continues. So stack_walk() and
 * cfi_cache_learn() never use the program's stack, which may be small, at the same time. */
struct walk {
	struct segment *g; /* the segment that is being filled; NULL between two segments */
	/* the segment that was added to the chain last; NULL means that there is none */
	struct segment *inner;
	/* the way that will refer to the segment; NULL means that there is none */
	struct way *way;
	uint64_t pc;             /* pc of the first frame in the segment */
	bool single;             /* the segment must have only one frame */
	uint32_t n;              /* number of segments in the chain so far */
	uint64_t missing;        /* address whose rule is missing; 0 means none */
	uint64_t learned_pc;     /* address whose rule was learned last; 0 means none */
	struct cfi_rule learned; /* the rule of learned_pc */
	struct frame at;
	struct stack_reach range;
	/* address in this segment from which each register's value was read; 0 means that the
	 * register has kept its value since the start of the segment */
	uint64_t origin[REGS];
	unsigned checked; /* bit r is set if the word at origin[r] is one of the checks */
	unsigned depth;   /* number of frames that were walked by rules; remembered frames do not
			   * count */
	/* the segment depends on values that it does not store, so later walks must not find it */
	bool forget;
};

/* A local variable of a capture that changes the state. It contains a signature during the change.
 * If longjmp leaves the capture, a later capture recognizes this from the signature (see
 * stack_guard.c). */
struct guard {
	_Atomic uint64_t token;
};

/* Maximum number of frames of a last stack: at first, so that they are on one page, and after a
 * stack was deeper. */
enum { RECENT_FEW = 32, RECENT_FRAMES = 1024 };

/* A frame of the last stack. */
struct recent_frame {
	uint64_t pc;
	uint64_t sp; /* the word at sp - 8 is pc */
};

/* What else is known of that frame. */
struct recent_more {
	uint64_t hash;   /* of the pcs of this frame and of those outside it */
	uint64_t fp;     /* fp in this frame; valid if needs_fp is set */
	uint32_t node;   /* 0 means that it was not looked up yet */
	uint16_t checks; /* number of saved frame pointers that a walk from here outwards reads */
	bool needs_fp;   /* the CFA of this frame or of one outside it depends on `fp` */
};

/* A frame that a walk has passed. */
struct recent_passed {
	uint64_t pc, sp;
	uint64_t quick; /* its rule, see quick_make() */
};

/* A word that a walk has read, which is not a return address that led to another frame. */
struct recent_check {
	uint64_t address;
	uint64_t word;
};

/* The last stack that recent_capture() captured, outermost frame first. */
struct stack_recent {
	uint32_t n;     /* number of frames; 0 means that no stack is remembered */
	uint32_t pause; /* number of captures that use segments at once */
	/* number of long walks, minus that of short ones; and whether there was a pause before the
	 * next walk (see pause_if_long()) */
	uint32_t long_walks;
	bool was_paused;
	/* there were FEW_NODES nodes, so state.quick and state.seen are used, not those of `few` */
	bool many;
	uint32_t most; /* number of elements of the arrays below: RECENT_FEW or RECENT_FRAMES */
	struct recent_more *more;
	struct recent_frame *frame;
	struct recent_passed *passed; /* of the last walk, innermost frame first */
	/* the words that walks from the frames read, those of outer frames first: a walk from frame
	 * i reads the first more[i].checks of them. There is one more element than `most` */
	struct recent_check *check;
};

/* The arrays of struct stack_recent for `most` frames. */
#define RECENT_ARRAYS(most)                          \
	struct {                                     \
		struct recent_more more[most];       \
		struct recent_frame frame[most];     \
		struct recent_passed passed[most];   \
		struct recent_check check[most + 1]; \
	}

struct state {
	struct stack_thread head;
	/* value of cfi_cache_generation() when the segments and nodes below were stored */
	uint32_t images;
	_Atomic uint64_t changes; /* number of times that guard_open() has returned true */
	struct guard *_Atomic holder;
	/* local variable of the stack_take_new() loop that is running; NULL means none */
	struct stack_frames *_Atomic taker;
	/* frames with smaller ids were returned to the loop `taker`; they count as written when the
	 * loop makes its next call */
	uint32_t handed;
	uint64_t handed_at; /* result of stack_moves() when `handed` was set */
	struct stack_tree tree;
	struct stack_range own;
	uint64_t builds;
	uint32_t epoch;
	uint32_t turn;  /* number of the way that is replaced next, in all sets */
	uint32_t slots; /* number of assigned slots; the spare ones are at the end of the array */
	uint32_t spares;
	bool is_open; /* whether all segments are writable, see stack_open_all() */
	struct stack_recent recent;
	RECENT_ARRAYS(RECENT_FEW) recent_few;
	struct cfi_learning learning; /* not on the program's stack, which may be small */
	/* What every capture needs is above, on one page. A forked child copies a page when it
	 * writes there, so what most of its captures write is on three pages: this one, the next
	 * one, and the first one of `few`. */
	uint64_t few_quick[1 << FEW_QUICK_BITS] __attribute__((aligned(STATE_PAGE)));
	uint64_t pcs[PIECE];
	struct walk walk; /* not on the program's stack, either */
	RECENT_ARRAYS(RECENT_FRAMES) recent_all;
	uint16_t chain[CHAIN]; /* segments of the current stack, innermost first */
	/* like `chain`, but used by a signal handler that interrupted a capture, because the
	 * capture still needs `chain` */
	uint16_t chain_of_handler[CHAIN];
	/* In a fresh state, everything from here on is zero. */
	struct few few __attribute__((aligned(STATE_PAGE)));
	struct segment segments[SLOTS]; /* [0] is never valid */
	/* used only after stack_open_all() has succeeded */
	struct way ways[SETS][WAYS];
	struct known_node known[1 << KNOWN_BITS];
	uint64_t quick[1 << QUICK_BITS]; /* see quick_set() in stack_recent.c */
	uint64_t seen[1 << SEEN_BITS];   /* see seen_place() in stack_recent.c */
	uint64_t seen_more[1 << SEEN_MORE_BITS];
};

_Static_assert(sizeof(struct state) <= STACK_THREAD_SIZE,
	       "the state fits what the header promises");
_Static_assert(offsetof(struct state, learning) + sizeof(struct cfi_learning) <= STATE_PAGE,
	       "what every capture needs is on one page");
_Static_assert(offsetof(struct state, segments) + FEW_SLOTS * sizeof(struct segment) <=
		       STACK_FIRST_BYTES,
	       "a few segments are writable from the start");

static inline struct state *stack_state(struct stack_thread *t)
{
	return (struct state *)t;
}

/* A compiler barrier. A signal handler on this thread that sees a store made after the call also
 * sees all stores made before the call. */
static inline void stack_order(void)
{
	atomic_signal_fence(memory_order_seq_cst);
}

/* Returns a number that changes with every capture of this thread, including those of signal
 * handlers. */
static inline uint64_t stack_moves(const struct state *s)
{
	return atomic_load_explicit(&s->changes, memory_order_relaxed) +
	       *(const volatile uint64_t *)&s->head.hits;
}

/* Returns the set of the hash table in which a segment with this hash belongs. When FEW_SLOTS slots
 * are assigned, another table is used. Then a segment that was stored in the first one is not
 * found, and is created again. */
static inline struct way *stack_set(struct state *s, uint64_t hash)
{
	return s->slots < FEW_SLOTS ? s->few.ways[hash >> (64 - FEW_SET_BITS)]
				    : s->ways[hash >> (64 - SET_BITS)];
}

/* Returns the segment that begins at frame f and whose registers and stack words are unchanged;
 * NULL if there is none. */
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

/* Captures a stack of ordinary frames by comparing it with the last one of this thread. It begins
 * at a frame with this pc, sp and fp. Returns its id; 0 means that stack_capture() must use
 * segments. May be called in signal handlers. */
uint32_t recent_capture(struct state *s, uint64_t pc, uint64_t sp, uint64_t fp);

/* Sets s->recent for its first use. */
void recent_begin(struct state *s);

/* Forgets the nodes of the last stack and uses the small tables again, in which only rules are
 * left. */
void recent_renew(struct stack_recent *r);

/* Forgets the last stack and all rules. */
void recent_forget(struct state *s);

/*
 * These two functions fill s->chain with the segments of a stack, and walk the part that is not
 * remembered. The caller calls stack_walk_from(), then stack_walk() until it returns true; whenever
 * stack_walk() returns false, the caller must learn the rule of s->walk.missing before the next
 * call. s->walk.n is the number of segments. If there is not enough room, the outer segments are
 * missing; s->walk.n is 0 if there is no room for any segment.
 */
void stack_walk_from(struct state *s, const struct frame *f);
bool stack_walk(struct state *s);

/* Returns the id of the stack whose n segments are in s->chain; 0 if memory or ids are used up. If
 * the chain lacks outer frames, the stack is truncated there. */
uint32_t stack_resolve(struct state *s, uint32_t n);

/* Makes all segments writable; before, only the first FEW_SLOTS are. Returns false if that fails.
 */
bool stack_open_all(struct state *s);

/* Forgets all segments and nodes. Their ids are not used again, because their meaning may have
 * changed. */
void stack_forget(struct state *s);

/* A capture, or a stack_take_new() loop, has written its signature at `at` in its stack frame. Is
 * that frame still in use? It is if the current call is in a signal handler that interrupted the
 * capture or loop. It is not if longjmp has left the frame. `me` is an address in the current
 * call's own frame. */
bool guard_still_there(const struct state *s, const _Atomic uint64_t *at, uint64_t me);

/* Returns the signature that an owner of the state writes at `at`, an address in its own stack
 * frame. If longjmp leaves that frame, other frames overwrite the signature sooner or later. */
static inline uint64_t guard_signature(const _Atomic uint64_t *at)
{
	return (uint64_t)(uintptr_t)at ^ 0x5bd1e995c2b2ae35u;
}

/* Makes the caller the owner of the state. Only the owner may change the state. `me` is a local
 * variable of the caller. Returns false if the caller is a signal handler that has interrupted the
 * current owner. After true, guard_close() must follow. */
static inline bool guard_open(struct state *s, struct guard *me)
{
	const struct guard *holder = atomic_load_explicit(&s->holder, memory_order_relaxed);

	if (unlikely(holder != NULL) &&
	    guard_still_there(s, &holder->token, (uint64_t)(uintptr_t)me))
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

static inline void guard_close(struct state *s, struct guard *me)
{
	stack_order();
	atomic_store_explicit(&me->token, 0, memory_order_relaxed);
	atomic_store_explicit(&s->holder, NULL, memory_order_relaxed);
}

/* May the stack_take_new() loop to which `me` belongs get the new frames? It may not if it runs in
 * a signal handler that has interrupted another such loop. */
bool guard_take(struct state *s, struct stack_frames *me);

/* Ends the stack_take_new() loop to which `me` belongs. */
void guard_taken(struct state *s, struct stack_frames *me);

/* Is it certain that nobody owns the state and that no stack_take_new() loop is running, also in
 * code that the calling signal handler has interrupted? `me` is the address of a local variable. */
bool guard_is_free(const struct state *s, const void *me);

/* Declares that nobody owns the state and that no stack_take_new() loop is running. */
void guard_clear(struct state *s);

#endif
