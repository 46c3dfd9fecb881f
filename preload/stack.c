/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The validated stack cache.
 *
 * A walk is a function of the innermost (pc, sp), of the incoming frame pointer where a frame's CFA
 * is computed from it, and of the stack words that it reads. A segment remembers a stretch of some
 * walk: its key (pc, sp), the registers it needs, and every word that it read (a check). When the
 * key, those registers and all words are the same as then, the walk is the same: this is exact, not
 * a guess. The words are compared from the inside out and the comparing stops at the first that
 * differs, so it reads no word that the walk itself would not read.
 *
 * A segment ends before the next frame whose (pc, sp) hashes to a boundary: then walks that start
 * at different places share their outer segments. Its last return address (the exit) is read when
 * it is used, not compared, so a segment does not depend on what lies outside it. Which node of the
 * tree it is does, so it remembers (outer node -> own node).
 */
#include "stack.h"

#include "cfi_cache.h"
#include "stack_range.h"
#include "stack_tree.h"

#include <stdatomic.h>
#include <string.h>

enum {
	WAYS = 4,
	SET_BITS = 10,
	SETS = 1 << SET_BITS,
	SPARES = 128, /* for a walk that fills all ways of a set; never found again */
	SLOTS = SETS * WAYS + SPARES,
	CHECKS = 14,
	CHECKS_PER_FRAME = 3,
	CHAIN = 8192, /* most segments of one stack */
	KNOWN_BITS = 12,
	PIECE = 512, /* most frames handed out at once */
	TREE_NODES = 8 << 20,
	NEW_NODES = 1 << 16, /* not taken by the caller: more than this are given up */
};

enum { FP, BX, REGS };

/* Where the register is on leaving a segment, for reg_out: at an offset from sp, or: */
enum { REG_UNCHANGED = UINT32_MAX, REG_UNKNOWN = UINT32_MAX - 1 };

/* How a segment ends. */
enum end { END_EXIT, END_ROOT, END_TRUNCATED };

/* What outer holds before the node is known: no id. */
#define UNRESOLVED UINT32_MAX

struct segment {
	uint64_t pc; /* key */
	uint64_t sp;
	uint32_t node; /* id of the innermost frame when the outer node is outer; 0 unknown */
	uint32_t outer;
	uint8_t n_checks;
	uint8_t needs;    /* bit r: on entry the register must have the value in[r] */
	uint8_t end;      /* enum end */
	uint8_t exit_add; /* 1 where the exit is an interrupted address */
	uint32_t exit;    /* offset from sp of the exit's return address */
	uint64_t exit_sp;
	uint64_t in[REGS];
	uint64_t serial; /* no two segments ever filled have the same */
	uint32_t reg_out[REGS];
	uint32_t ra_mask; /* bit i: check i is the return address of a frame of this segment */
	uint32_t epoch;   /* of the walk that used it last; not counted for hits */
	uint32_t offset[CHECKS];
	uint64_t word[CHECKS];
} __attribute__((aligned(64)));

/* The node of a segment's innermost frame under some outer node, where that is not the last one
 * seen. */
struct known_node {
	uint64_t serial;
	uint32_t outer;
	uint32_t node;
};

/* A place in a walk: a frame and the registers as it has them. */
struct frame {
	uint64_t pc;
	uint64_t sp;
	uint64_t reg[REGS];
	unsigned known; /* bit r: reg[r] is known */
};

/* The walk that fills a segment. */
struct walk {
	struct segment *g;
	struct frame at;
	struct stack_range range;
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
	uint64_t handed_at; /* moves() then */
	struct stack_tree tree;
	struct stack_range own;
	struct walk walk; /* here and not on the program's stack, which may be small */
	uint64_t builds;
	uint32_t epoch;
	uint32_t turn; /* which way goes next */
	uint32_t spares;
	uint16_t chain[CHAIN];            /* segments of the current stack, innermost first */
	uint16_t chain_of_handler[CHAIN]; /* the same, while a capture that was interrupted needs
					     chain */
	uint64_t pcs[PIECE];
	struct known_node known[1 << KNOWN_BITS];
	uint32_t tag[SETS][WAYS]; /* 0 empty */
	struct segment segments[SLOTS];
};

_Static_assert(sizeof(struct state) <= STACK_THREAD_SIZE,
	       "the state fits what the header promises");
_Static_assert(sizeof(struct segment) == 256, "no space between segments");
_Static_assert(CHECKS <= 32, "one bit of ra_mask for each check");

static struct state *state_of(struct stack_thread *t)
{
	return (struct state *)t;
}

static void order(void)
{
	atomic_signal_fence(memory_order_seq_cst);
}

/* The words read here belong to other functions' frames: no object of this program, to a sanitizer.
 */
#define NO_ASAN __attribute__((no_sanitize_address))

static inline NO_ASAN uint64_t word_at(uint64_t address)
{
	return *(const uint64_t *)(uintptr_t)address;
}

static inline uint64_t hash_frame(uint64_t pc, uint64_t sp)
{
	return (pc ^ (sp << 17 | sp >> 47)) * 0x9e3779b97f4a7c15u;
}

static inline uint32_t set_of(uint64_t hash)
{
	return (uint32_t)(hash >> (64 - SET_BITS));
}

static inline uint32_t tag_of(uint64_t hash)
{
	return (uint32_t)(hash >> 20) | 1;
}

static bool is_boundary(uint64_t pc, uint64_t sp)
{
	return !(hash_frame(pc, sp) >> 40 & 7);
}

static inline bool same_registers(const struct segment *g, const struct frame *f)
{
	if (__builtin_expect(!g->needs, 1))
		return true;
	if (g->needs & ~f->known)
		return false;
	return (!(g->needs & 1 << FP) || g->in[FP] == f->reg[FP]) &&
	       (!(g->needs & 1 << BX) || g->in[BX] == f->reg[BX]);
}

static inline NO_ASAN bool same_words(const struct segment *g)
{
	const char *sp = (const char *)(uintptr_t)g->sp;
	unsigned n = g->n_checks;

	for (unsigned i = 0; i < n; i++) {
		if (*(const uint64_t *)(const void *)(sp + g->offset[i]) != g->word[i])
			return false;
	}
	return true;
}

/* The remembered segment that starts at a frame and holds now; NULL where there is none. */
static inline struct segment *find(struct state *s, const struct frame *f)
{
	uint64_t hash = hash_frame(f->pc, f->sp);
	uint32_t set = set_of(hash);
	uint32_t tag = tag_of(hash);

	for (unsigned i = 0; i < WAYS; i++) {
		struct segment *g = &s->segments[set * WAYS + i];

		if (s->tag[set][i] == tag && g->pc == f->pc && g->sp == f->sp &&
		    same_registers(g, f) && same_words(g))
			return g;
	}
	return NULL;
}

/* Moves a frame over a segment that holds and has an exit. */
static inline void leave(const struct segment *g, struct frame *f)
{
	f->pc = word_at(g->sp + g->exit) + g->exit_add;
	f->sp = g->exit_sp;
	for (unsigned r = 0; r < REGS; r++) {
		if (__builtin_expect(g->reg_out[r] == REG_UNCHANGED, 1))
			continue;
		f->known &= ~(1u << r);
		if (g->reg_out[r] == REG_UNKNOWN)
			continue;
		f->known |= 1u << r;
		f->reg[r] = word_at(g->sp + g->reg_out[r]);
	}
}

/* A stack as remembered. */
struct found {
	uint32_t segments; /* in s->chain, innermost first; 0: not all of it is remembered */
	uint32_t id;       /* 0: the segments do not know their nodes for these outer parts */
};

/* Compares a stack with what is remembered. Changes nothing but the chain. */
static inline struct found follow(struct state *s, struct frame f)
{
	uint16_t *chain = atomic_load_explicit(&s->holder, memory_order_relaxed)
				  ? s->chain_of_handler
				  : s->chain;
	struct found found = { 0 };
	uint32_t outer = 0;
	uint32_t same = 1;

	for (uint32_t n = 0; n < CHAIN; n++) {
		const struct segment *g = find(s, &f);

		if (!g)
			return found;
		chain[n] = (uint16_t)(g - s->segments);
		if (n)
			same &= g->node == outer;
		else
			found.id = g->node;
		if (g->end != END_EXIT) {
			found.segments = n + 1;
			break;
		}
		outer = g->outer;
		leave(g, &f);
	}
	if (!same)
		found.id = 0;
	return found;
}

static void add_check(struct walk *w, uint64_t address, uint64_t word, bool is_frame)
{
	struct segment *g = w->g;

	g->offset[g->n_checks] = (uint32_t)(address - g->sp);
	g->word[g->n_checks] = word;
	g->ra_mask |= (uint32_t)is_frame << g->n_checks;
	g->n_checks++;
}

/* The segment depends on a register from here on. */
static bool use_register(struct walk *w, unsigned r)
{
	if (!(w->at.known & 1u << r)) {
		w->forget |= !w->origin[r];
		return false;
	}
	if (w->origin[r]) {
		if (!(w->checked & 1u << r))
			add_check(w, w->origin[r], w->at.reg[r], false);
		w->checked |= 1u << r;
	} else {
		w->g->needs |= (uint8_t)(1u << r);
		w->g->in[r] = w->at.reg[r];
	}
	return true;
}

/* The value of the register that a rule starts from. */
static bool base_value(struct walk *w, struct cfi_rule rule, uint64_t *base)
{
	unsigned r = rule.base == CFI_RBP ? FP : BX;

	if (rule.base == CFI_RSP) {
		*base = w->at.sp;
		return true;
	}
	*base = w->at.reg[r];
	return use_register(w, r);
}

static bool readable(struct state *s, uint64_t address)
{
	/* The offset from the segment's start must fit its 32 bits. */
	return address - s->walk.g->sp < REG_UNKNOWN &&
	       range_has_word(&s->walk.range, &s->own, address);
}

static void caller_register(struct state *s, unsigned r, int64_t place, uint64_t from)
{
	struct walk *w = &s->walk;
	uint64_t address = from + (uint64_t)place * 8;

	if (place == CFI_KEPT)
		return;
	w->origin[r] = address;
	w->checked &= ~(1u << r);
	w->at.known &= ~(1u << r);
	/* An address outside is "lost in this segment": any that is not 0 does. */
	if (place == CFI_LOST || !readable(s, address)) {
		w->origin[r] = UINT64_MAX;
		return;
	}
	w->at.known |= 1u << r;
	w->at.reg[r] = word_at(address);
}

/* The CFA, and the address of the word that holds the return address, of the frame the walk is at.
 */
static bool find_caller(struct state *s, struct cfi_rule rule, uint64_t *cfa, uint64_t *slot)
{
	struct walk *w = &s->walk;
	uint64_t base;

	if (!base_value(w, rule, &base))
		return false;
	*cfa = base + (uint64_t)(int64_t)rule.off;
	if (rule.deref) {
		uint64_t address = *cfa;

		if (!readable(s, address))
			return false;
		*cfa = word_at(address);
		add_check(w, address, *cfa, false);
	}
	*slot = rule.ra_at_base ? base + (uint64_t)(int64_t)rule.off + 8 : *cfa - 8;
	if (!rule.signal && (*cfa <= w->at.sp || *slot < w->at.sp))
		return false; /* not upward */
	if (!readable(s, *slot))
		return false;
	base = rule.regs_at_base ? base : *cfa;
	caller_register(s, FP, rule.rbp, base);
	caller_register(s, BX, rule.rbx, base);
	return true;
}

static void set_exit(struct walk *w, uint64_t slot, struct cfi_rule rule)
{
	struct segment *g = w->g;

	g->end = END_EXIT;
	g->exit = (uint32_t)(slot - g->sp);
	g->exit_add = rule.signal;
	g->exit_sp = w->at.sp;
	for (unsigned r = 0; r < REGS; r++) {
		if (!w->origin[r])
			g->reg_out[r] = REG_UNCHANGED;
		else if (!(w->at.known & 1u << r))
			g->reg_out[r] = REG_UNKNOWN;
		else
			g->reg_out[r] = (uint32_t)(w->origin[r] - g->sp);
	}
}

/* Walks one frame. Returns whether the segment goes on; else its end is set. */
static bool step(struct state *s, bool single)
{
	struct walk *w = &s->walk;
	struct segment *g = w->g;
	struct cfi_rule rule = cfi_cache_rule(w->at.pc);
	uint64_t cfa;
	uint64_t slot;
	uint64_t ra;

	g->end = rule.kind == CFI_OUTERMOST ? END_ROOT : END_TRUNCATED;
	if (rule.kind != CFI_FRAME || !find_caller(s, rule, &cfa, &slot))
		return false;
	ra = word_at(slot);
	if (!ra) {
		add_check(w, slot, ra, false);
		g->end = rule.signal ? END_TRUNCATED : END_ROOT;
		return false;
	}
	if (w->depth == STACK_MAX_DEPTH) {
		w->forget = true;
		return false;
	}
	w->depth++;
	w->at.pc = ra + rule.signal;
	w->at.sp = cfa;
	if (single || rule.signal || g->n_checks > CHECKS - CHECKS_PER_FRAME - 1 ||
	    is_boundary(w->at.pc, cfa)) {
		set_exit(w, slot, rule);
		return false;
	}
	add_check(w, slot, ra, true);
	return true;
}

/*
 * A slot for a new segment that starts at a frame. Where two with this start are remembered that do
 * not hold, what is outside the first frame varies: *single is set, and those are dropped, so that
 * one segment of one frame serves them all.
 */
static uint32_t choose_slot(struct state *s, const struct frame *f, bool *single)
{
	uint32_t set = set_of(hash_frame(f->pc, f->sp));
	uint32_t chosen = UINT32_MAX;
	unsigned same = 0;

	for (unsigned i = 0; i < WAYS; i++) {
		struct segment *g = &s->segments[set * WAYS + i];

		same += s->tag[set][i] && g->pc == f->pc && g->sp == f->sp;
	}
	*single = same >= 2;
	for (unsigned k = 0; k < WAYS; k++) {
		uint32_t i = (s->turn + k) % WAYS;
		struct segment *g = &s->segments[set * WAYS + i];

		if (s->tag[set][i] && g->epoch == s->epoch)
			continue; /* part of this walk */
		if (*single && g->pc == f->pc && g->sp == f->sp)
			s->tag[set][i] = 0;
		if (chosen == UINT32_MAX || !s->tag[set][i])
			chosen = set * WAYS + i;
	}
	s->turn++;
	if (chosen != UINT32_MAX)
		s->tag[set][chosen % WAYS] = 0;
	else if (s->spares < SPARES)
		chosen = SETS * WAYS + s->spares++;
	return chosen;
}

/* Fills a segment from the frame the walk is at. Returns its slot, or UINT32_MAX where the walk has
 * used all there are. */
static uint32_t build(struct state *s)
{
	struct walk *w = &s->walk;
	uint64_t hash = hash_frame(w->at.pc, w->at.sp);
	bool single;
	uint32_t slot = choose_slot(s, &w->at, &single);
	struct segment *g;

	if (slot == UINT32_MAX)
		return slot;
	order();
	g = &s->segments[slot];
	memset(g, 0, offsetof(struct segment, offset));
	g->pc = w->at.pc;
	g->sp = w->at.sp;
	g->outer = UNRESOLVED;
	g->epoch = s->epoch;
	g->serial = ++s->builds;
	w->g = g;
	w->forget = false;
	w->checked = 0;
	memset(w->origin, 0, sizeof(w->origin));
	range_start(&w->range, &s->own, w->at.sp);
	while (step(s, single)) {
	}
	order();
	if (slot < SETS * WAYS && !w->forget)
		s->tag[set_of(hash)][slot % WAYS] = tag_of(hash);
	return slot;
}

/*
 * Fills s->chain with the segments of a stack. Returns their number: 0 where there is no room for
 * one, less than all where there is none for the rest.
 */
static uint32_t walk(struct state *s, const struct frame *f)
{
	uint32_t n;

	s->walk.at = *f;
	s->walk.depth = 1;
	s->epoch++;
	s->spares = 0;
	for (n = 0; n < CHAIN; n++) {
		struct segment *g = find(s, &s->walk.at);
		uint32_t slot = g ? (uint32_t)(g - s->segments) : build(s);

		if (slot == UINT32_MAX)
			return n;
		s->chain[n] = (uint16_t)slot;
		s->segments[slot].epoch = s->epoch;
		if (s->segments[slot].end != END_EXIT)
			return n + 1;
		if (g)
			leave(g, &s->walk.at);
	}
	return n;
}

/* Takes *node to the node of a frame that it calls. */
static bool add_frame(struct state *s, uint32_t *node, uint64_t pc)
{
	*node = tree_intern(&s->tree, *node, pc);
	return *node != 0;
}

static struct known_node *known_place(struct state *s, const struct segment *g, uint32_t outer)
{
	uint64_t h = (g->serial << 32 ^ outer) * 0x9e3779b97f4a7c15u;

	return &s->known[h >> (64 - KNOWN_BITS)];
}

static void remember_node(struct known_node *k, uint64_t serial, uint32_t outer, uint32_t node)
{
	k->serial = 0; /* never the old node under a new key */
	order();
	k->outer = outer;
	k->node = node;
	order();
	k->serial = serial;
}

/* Takes *node from the node outside a segment to that of its innermost frame, through the tree. */
static bool add_frames(struct state *s, const struct segment *g, uint32_t *node)
{
	for (unsigned i = g->n_checks; i-- > 0;) {
		if (g->ra_mask >> i & 1 && !add_frame(s, node, g->word[i]))
			return false;
	}
	if (!add_frame(s, node, g->pc))
		return false;
	s->head.next_id = tree_next_id(&s->tree);
	return true;
}

/* The same; remembers the answer. A segment of one frame has many, and is as quickly looked up in
 * the tree. */
static bool resolve_segment(struct state *s, struct segment *g, uint32_t *node)
{
	uint32_t outer = *node;
	struct known_node *known = known_place(s, g, outer);

	if (g->node && g->outer == outer) {
		*node = g->node;
		return true;
	}
	if (g->ra_mask && known->serial == g->serial && known->outer == outer) {
		*node = known->node;
	} else {
		if (!add_frames(s, g, node))
			return false;
		if (g->ra_mask)
			remember_node(known, g->serial, outer, *node);
	}
	g->node = 0; /* never the old node with the new outer one */
	order();
	g->outer = outer;
	order();
	g->node = *node;
	return true;
}

/* The id of the stack whose segments are in s->chain; 0 where memory or ids are used up. What the
 * chain does not reach is truncated. */
static uint32_t resolve(struct state *s, uint32_t n)
{
	uint32_t node = s->segments[s->chain[n - 1]].end == END_ROOT ? STACK_ROOT : STACK_TRUNCATED;

	while (n-- > 0) {
		if (!resolve_segment(s, &s->segments[s->chain[n]], &node))
			return 0;
	}
	return node;
}

/* Moves with every capture that went before the current one or interrupted it. */
static inline uint64_t moves(const struct state *s)
{
	return atomic_load_explicit(&s->changes, memory_order_relaxed) +
	       *(const volatile uint64_t *)&s->head.hits;
}

static bool in_own(const struct state *s, const void *p)
{
	uint64_t address = (uint64_t)(uintptr_t)p;

	return address >= s->own.lo && address < s->own.hi;
}

/* What an owner writes into its own stack frame: whoever left it by longjmp has it overwritten
 * sooner or later. */
static uint64_t signature(const _Atomic uint64_t *at)
{
	return (uint64_t)(uintptr_t)at ^ 0x5bd1e995c2b2ae35u;
}

/* Whether what left its signature will come back: it was interrupted by me, not left by longjmp. */
static NO_ASAN bool still_there(const struct state *s, const _Atomic uint64_t *at, const void *me)
{
	if (in_own(s, at) && in_own(s, me) && (uintptr_t)me > (uintptr_t)at)
		return false; /* its frame has been left: the stack grows downward */
	if (!in_own(s, at) && !range_page_readable((uint64_t)(uintptr_t)at))
		return false;
	return atomic_load_explicit(at, memory_order_relaxed) == signature(at);
}

static bool open_state(struct state *s, struct guard *me)
{
	const struct guard *holder = atomic_load_explicit(&s->holder, memory_order_relaxed);

	if (holder && still_there(s, &holder->token, me))
		return false;
	atomic_store_explicit(&me->token, signature(&me->token), memory_order_relaxed);
	order();
	atomic_store_explicit(&s->holder, me, memory_order_relaxed);
	order(); /* from here on no handler moves the counter */
	atomic_store_explicit(&s->changes,
			      atomic_load_explicit(&s->changes, memory_order_relaxed) + 1,
			      memory_order_relaxed);
	order();
	return true;
}

static void close_state(struct state *s, struct guard *me)
{
	order();
	atomic_store_explicit(&me->token, 0, memory_order_relaxed);
	atomic_store_explicit(&s->holder, NULL, memory_order_relaxed);
}

/* Ids in use so far are not used again, for nobody knows whether they mean what they meant. */
static void forget(struct state *s)
{
	memset(s->tag, 0, sizeof(s->tag));
	tree_restart(&s->tree);
}

/*
 * Before changes: a fresh state gets its first id, what was learned from code that may be gone is
 * forgotten, and new frames that the caller has written are dropped from the list. Returns whether
 * everything remembered was forgotten.
 */
static bool prepare(struct state *s, uint64_t sp)
{
	uint32_t images = cfi_cache_generation();
	bool stale;

	if (!s->tree.first_new) {
		s->tree.first_new = STACK_FIRST_ID;
		s->head.taken_id = STACK_FIRST_ID;
		s->head.next_id = STACK_FIRST_ID;
	}
	if (s->head.taken_id == tree_next_id(&s->tree))
		tree_forget_new(&s->tree);
	stale = s->images != images || s->tree.n >= TREE_NODES || s->tree.n_new > NEW_NODES;
	if (stale)
		forget(s);
	s->images = images;
	if (!s->own.hi)
		range_find_own(&s->own, sp);
	return stale;
}

/*
 * Walks what is not remembered and makes the nodes that are missing. The n segments in s->chain, if
 * any, are the stack unless a signal handler came between: told by the counters that every capture
 * moves.
 */
static __attribute__((noinline)) uint32_t complete(struct state *s, const struct frame *f,
						   uint32_t n, uint64_t seen)
{
	struct guard me;
	uint32_t id = 0;

	if (open_state(s, &me)) {
		if (prepare(s, f->sp) || !n || seen + 1 != moves(s))
			n = walk(s, f);
		if (n)
			id = resolve(s, n);
		close_state(s, &me);
		s->head.walks++;
	}
	s->head.lost += !id;
	return id ? id : STACK_TRUNCATED;
}

uint32_t stack_capture(struct stack_thread *t, uint64_t pc, uint64_t sp, uint64_t fp)
{
	struct state *s = state_of(t);
	struct frame f = { .pc = pc, .sp = sp, .reg = { [FP] = fp }, .known = 1 << FP };
	struct found found = { 0 };
	uint64_t seen = moves(s);

	order();
	if (s->images == cfi_cache_generation())
		found = follow(s, f);
	order();
	if (!found.segments || !found.id || moves(s) != seen)
		return complete(s, &f, found.segments, seen);
	s->head.hits++;
	return found.id;
}

/* Whether the new frames go to this loop; one that it interrupted, or none, goes on with them
 * otherwise. */
static bool become_taker(struct state *s, struct stack_frames *me)
{
	const struct stack_frames *taker = atomic_load_explicit(&s->taker, memory_order_relaxed);

	if (taker == me &&
	    atomic_load_explicit(&me->mark, memory_order_relaxed) == signature(&me->mark)) {
		/* Back, unless a capture came between: then perhaps another call with the same
		 * frame. */
		if (moves(s) == s->handed_at + 1)
			s->head.taken_id = s->handed;
		return true;
	}
	if (taker && still_there(s, &taker->mark, me))
		return false;
	atomic_store_explicit(&me->mark, signature(&me->mark), memory_order_relaxed);
	atomic_store_explicit(&s->taker, me, memory_order_relaxed);
	return true;
}

/* The next frames that are not taken, up to where their chain ends. */
static bool next_frames(struct state *s, uint32_t max, struct stack_frames *out)
{
	const struct stack_tree *tree = &s->tree;
	uint32_t taken = s->head.taken_id;
	uint32_t i = taken < tree->first_new ? 0 : taken - tree->first_new;
	uint32_t n = 0;

	if (i >= tree->n_new)
		return false;
	out->first = tree->fresh[i].id;
	out->caller = tree->fresh[i].caller;
	do {
		s->pcs[n] = tree->fresh[i + n].pc;
		n++;
	} while (n < max && n < PIECE && i + n < tree->n_new &&
		 tree->fresh[i + n].caller == out->first + n - 1);
	out->n = n;
	out->pcs = s->pcs;
	s->handed = out->first + n;
	s->handed_at = moves(s);
	return true;
}

bool stack_take_new(struct stack_thread *t, uint32_t max, struct stack_frames *out)
{
	struct state *s = state_of(t);
	struct guard me;
	bool more = false;

	if (!open_state(s, &me))
		return false;
	if (become_taker(s, out)) {
		more = next_frames(s, max, out);
		if (!more) {
			t->taken_id = t->next_id;
			atomic_store_explicit(&out->mark, 0, memory_order_relaxed);
			atomic_store_explicit(&s->taker, NULL, memory_order_relaxed);
		}
	}
	close_state(s, &me);
	return more;
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
	struct state *s = state_of(t);

	s->own = (struct stack_range){ 0 };
	atomic_store_explicit(&s->holder, NULL, memory_order_relaxed);
	atomic_store_explicit(&s->taker, NULL, memory_order_relaxed);
}

void stack_reset(struct stack_thread *t)
{
	struct state *s = state_of(t);

	forget(s);
	atomic_store_explicit(&s->holder, NULL, memory_order_relaxed);
	atomic_store_explicit(&s->taker, NULL, memory_order_relaxed);
	s->tree.first_new = 0;
	t->next_id = 0;
	t->taken_id = 0;
}

void stack_release(struct stack_thread *t)
{
	stack_reset(t);
	tree_release(&state_of(t)->tree);
}
