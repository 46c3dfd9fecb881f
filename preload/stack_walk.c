/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks the frames that are not remembered, using unwind rules, and creates segments for them. A
 * segment stores the words and registers that the next capture compares, to find out whether the
 * same frames are still there.
 *
 * What must stay true: a segment stores every value that its frames depend on. If a rule used a
 * value that no check covers, the segment is forgotten.
 */
#include "cfi_cache.h"
#include "machine.h"
#include "rawcall.h"
#include "stack_state.h"

#include <string.h>
#include <sys/mman.h>

enum { CHECKS_PER_FRAME = 3 };

static void add_check(struct walk *w, uint64_t address, uint64_t word, bool is_frame)
{
	struct segment *g = w->g;

	w->forget |= !check_can_say(address - g->sp, word);
	g->check[g->n_checks] = check_make(address - g->sp, word);
	g->ra_mask |= (uint16_t)(is_frame << g->n_checks);
	g->n_checks++;
}

/* Called when an unwind rule uses register r: records in the segment that it depends on this
 * register's value. Returns false if the value is unknown. */
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

/* Gets the value of the register from which the rule computes the CFA (rule.base). Returns false if
 * the value is unknown. */
static bool base_value(struct walk *w, struct cfi_rule rule, uint64_t *base)
{
	unsigned r = rule.base == CFI_FP ? FP : AUX;

	if (rule.base == CFI_SP) {
		*base = w->at.sp;
		return true;
	}
	*base = w->at.reg[r];
	return use_register(w, r);
}

static bool is_readable(struct state *s, uint64_t address)
{
	/* A segment stores an offset from its start in 32 bits. The two highest values are
	 * REG_UNKNOWN and REG_UNCHANGED. */
	return address - s->walk.g->sp < REG_UNKNOWN &&
	       range_has_word(&s->walk.range, &s->own, address);
}

static uint64_t saved_at(uint64_t from, int64_t place)
{
	return from + (uint64_t)place * 8;
}

static void caller_register(struct state *s, unsigned r, int64_t place, uint64_t from)
{
	struct walk *w = &s->walk;
	uint64_t address = saved_at(from, place);

	if (place == CFI_KEPT)
		return;
	w->origin[r] = address;
	w->checked &= ~(1u << r);
	w->at.known &= ~(1u << r);
	/* If the register's value in the caller is unknown, its origin is UINT64_MAX, which is not
	 * an address. Unlike 0, this says that the register has not kept its value since the start
	 * of the segment. */
	if (place == CFI_LOST || !is_readable(s, address)) {
		w->origin[r] = UINT64_MAX;
		return;
	}
	w->at.known |= 1u << r;
	w->at.reg[r] = stack_word(address);
}

/* The caller of the walk's current frame. */
struct caller {
	uint64_t cfa;
	uint64_t slot; /* address of the word with the return address; or IN_AUX */
};

/* Value of `slot`: the return address is in the register AUX. */
#define IN_AUX UINT64_MAX

/* Sets c->slot, the address at which the return address is stored. `base` is the value of the
 * register from which the rule starts; c->cfa is set already. Returns false if the walk must stop:
 * the return address is unknown or cannot be read, or the rule does not lead outwards. */
static bool find_return_address(struct state *s, struct cfi_rule rule, uint64_t base,
				struct caller *c)
{
	struct walk *w = &s->walk;

	if (LINK_REGISTER && !rule.signal) {
		if (rule.aux == CFI_LOST)
			return false;
		if (rule.aux == CFI_KEPT) {
			c->slot = IN_AUX;
			return c->cfa >= w->at.sp && use_register(w, AUX);
		}
		c->slot = saved_at(rule.regs_at_base ? base : c->cfa, rule.aux);
	} else {
		c->slot = rule.ra_at_base ? base + (uint64_t)(int64_t)rule.off + 8 : c->cfa - 8;
	}
	if (!rule.signal && (c->cfa <= w->at.sp || c->slot < w->at.sp))
		return false;
	return is_readable(s, c->slot);
}

/* Stores in *c the caller of the walk's current frame, and sets the walk's registers FP and AUX to
 * the caller's values. Returns false if the walk must stop. */
static bool find_caller(struct state *s, struct cfi_rule rule, struct caller *c)
{
	struct walk *w = &s->walk;
	uint64_t base;

	if (!base_value(w, rule, &base))
		return false;
	c->cfa = base + (uint64_t)(int64_t)rule.off;
	if (rule.deref) {
		uint64_t address = c->cfa;

		if (!is_readable(s, address))
			return false;
		c->cfa = stack_word(address);
		add_check(w, address, c->cfa, false);
	}
	if (!find_return_address(s, rule, base, c))
		return false;
	base = rule.regs_at_base ? base : c->cfa;
	caller_register(s, FP, rule.fp, base);
	/* If AUX contained the return address, its value in the caller is unknown. */
	caller_register(s, AUX, LINK_REGISTER && !rule.signal ? CFI_LOST : rule.aux, base);
	return true;
}

static void set_exit(struct walk *w, uint64_t slot, struct cfi_rule rule)
{
	struct segment *g = w->g;

	g->end = END_EXIT;
	g->exit = slot == IN_AUX ? EXIT_IN_AUX : (uint32_t)(slot - g->sp);
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

/* Ends the segment at a frame whose return address is 0. This marks the outermost frame, except in
 * the frame of a signal handler: there it means that the caller is unknown. If the 0 is on the
 * stack, adds a check of it, so the segment is valid only while the 0 is there. */
static void end_at_zero(struct walk *w, uint64_t slot, bool signal)
{
	if (slot != IN_AUX)
		add_check(w, slot, 0, false);
	w->g->end = signal ? END_TRUNCATED : END_ROOT;
}

/* The walk has just reached a frame through the return address `ra`, which was read at `slot`. Must
 * the segment that is being filled end before this frame? */
static bool ends_here(const struct walk *w, uint64_t slot, uint64_t ra)
{
	const struct segment *g = w->g;

	return slot == IN_AUX || g->n_checks > CHECKS - CHECKS_PER_FRAME - 1 ||
	       segment_is_boundary(w->at.pc, w->at.sp) || !check_can_say(slot - g->sp, ra);
}

/* Gets the unwind rule of the walk's current frame. Returns false if it is not cached; the caller
 * of the walk must then compute it. */
static bool find_rule(struct walk *w, struct cfi_rule *rule)
{
	if (w->learned_pc == w->at.pc)
		*rule = w->learned;
	else if (!cfi_cache_rule(w->at.pc, rule))
		w->missing = w->at.pc;
	return !w->missing;
}

/* Goes from the walk's current frame to its caller by an unwind rule. Returns whether the segment
 * continues with that frame. If not, sets how the segment ends. */
static bool step_out(struct state *s, struct cfi_rule rule)
{
	struct walk *w = &s->walk;
	uint64_t link = w->at.reg[AUX], ra;
	struct caller c;

	/* A frame at the process's entry point is the outermost one, even if no rule says so: the
	 * loader's entry code has no CFI. */
	w->g->end =
		rule.kind == CFI_OUTERMOST || range_is_entry(w->at.sp) ? END_ROOT : END_TRUNCATED;
	if (rule.kind != CFI_FRAME || !find_caller(s, rule, &c))
		return false;
	ra = code_address(c.slot == IN_AUX ? link : stack_word(c.slot));
	if (!ra) {
		end_at_zero(w, c.slot, rule.signal);
		return false;
	}
	if (w->depth == STACK_MAX_DEPTH) {
		w->forget = true;
		return false;
	}
	w->depth++;
	w->at.pc = ra + rule.signal;
	w->at.sp = c.cfa;
	if (w->single || rule.signal || ends_here(w, c.slot, ra)) {
		set_exit(w, c.slot, rule);
		return false;
	}
	add_check(w, c.slot, ra, true);
	return true;
}

/* If two or more segments of a set begin at frame f and are not used by the current walk, removes
 * all of them. Returns whether it removed any. */
static bool drop_same(struct state *s, struct way *set, const struct frame *f)
{
	unsigned same[WAYS];
	unsigned n = 0;

	for (unsigned i = 0; i < WAYS; i++) {
		const struct segment *g = &s->segments[set[i].slot];

		if (set[i].tag && g->pc == f->pc && g->sp == f->sp && g->epoch != s->epoch)
			same[n++] = i;
	}
	for (unsigned i = 0; n > 1 && i < n; i++)
		set[same[i]].tag = 0;
	return n > 1;
}

/* Returns the entry of the set (a way) for a new segment: an empty entry, or one whose segment the
 * current walk does not use. NULL if the walk uses all of them. The search begins at s->turn, so
 * that ways are replaced in turn. */
static struct way *choose_way(struct state *s, struct way *set)
{
	struct way *chosen = NULL;

	for (unsigned k = 0; k < WAYS; k++) {
		struct way *w = &set[(s->turn + k) % WAYS];

		if (w->tag && s->segments[w->slot].epoch == s->epoch)
			continue;
		if (!chosen || (chosen->tag && !w->tag))
			chosen = w;
	}
	s->turn++;
	return chosen;
}

bool stack_open_all(struct state *s)
{
	uint64_t from = (uint64_t)(uintptr_t)s + STACK_FIRST_BYTES;
	uint64_t end = (uint64_t)(uintptr_t)(s + 1) + STATE_PAGE - 1;

	from &= -(uint64_t)STATE_PAGE;
	end &= -(uint64_t)STATE_PAGE;
	s->is_open = s->is_open || !rawcall4(SYS_mprotect, (long)from, (long)(end - from),
					     PROT_READ | PROT_WRITE, 0);
	return s->is_open;
}

/* Returns a segment to fill: the one to which `way` refers, or a spare one if `way` is NULL.
 * Returns NULL if no spare one is left, or if memory for more segments is missing. */
static struct segment *take_segment(struct state *s, struct way *way)
{
	struct segment *g = NULL;

	if (way && !way->slot && (s->slots + 1 < FEW_SLOTS || stack_open_all(s)))
		way->slot = (uint16_t)++s->slots;
	if (way && way->slot) {
		way->tag = 0;
		g = &s->segments[way->slot];
	} else if (!way && s->spares < SPARES && stack_open_all(s)) {
		g = &s->segments[SLOTS - ++s->spares];
	}
	if (g) {
		g->pc = 0;
		stack_order();
		memset(g, 0, offsetof(struct segment, check));
	}
	return g;
}

/* Begins a segment at the walk's current frame. Returns false if the walk has used all segments. If
 * several remembered segments begin at this frame and none is valid, the frames outside it vary
 * from call to call. Then the new segment has only this frame, so that it stays valid. */
static bool begin_segment(struct state *s)
{
	struct walk *w = &s->walk;
	uint64_t hash = segment_hash(w->at.pc, w->at.sp);
	struct way *set = stack_set(s, hash);
	struct segment *g;

	w->single = drop_same(s, set, &w->at);
	w->way = choose_way(s, set);
	g = take_segment(s, w->way);
	if (!g)
		return false;
	g->sp = w->at.sp;
	g->outer = UNRESOLVED;
	g->epoch = s->epoch;
	g->serial = ++s->builds;
	w->g = g;
	w->pc = w->at.pc;
	w->forget = !w->way;
	w->checked = 0;
	memset(w->origin, 0, sizeof(w->origin));
	range_start(&w->range, &s->own, w->at.sp);
	return true;
}

/*
 * Completes the segment and returns it. From now on other walks can find it, unless w->forget is
 * set.
 */
static struct segment *end_segment(struct walk *w)
{
	struct segment *g = w->g;
	uint16_t tag = segment_tag(segment_hash(w->pc, g->sp));

	if (w->forget)
		g->sp = ~g->sp; /* no frame has this sp, so the segment is never valid */
	stack_order();
	g->pc = w->pc;
	if (w->way && !w->forget)
		w->way->tag = tag;
	w->g = NULL;
	return g;
}

/* Adds segment g to the chain of the current walk. Returns whether the walk continues in the frame
 * that called g. */
static bool add_segment(struct state *s, struct segment *g)
{
	struct walk *w = &s->walk;

	s->chain[w->n] = (uint16_t)(g - s->segments);
	g->epoch = s->epoch;
	if (w->inner)
		w->inner->next = s->chain[w->n];
	w->inner = g;
	w->n++;
	return g->end == END_EXIT && w->n < CHAIN;
}

void stack_walk_from(struct state *s, const struct frame *f)
{
	struct walk *w = &s->walk;

	w->g = w->inner = NULL;
	w->n = 0;
	w->missing = w->learned_pc = 0;
	w->at = *f;
	w->depth = 1;
	s->epoch++;
	s->spares = 0;
}

bool stack_walk(struct state *s)
{
	struct walk *w = &s->walk;
	struct cfi_rule rule;
	struct segment *g;

	for (;;) {
		g = w->g ? NULL : stack_find(s, &w->at);
		if (g) {
			if (!add_segment(s, g))
				return true;
			segment_leave(g, &w->at);
			continue;
		}
		if (!w->g && !begin_segment(s))
			return true;
		do {
			if (!find_rule(w, &rule))
				return false;
		} while (step_out(s, rule));
		if (!add_segment(s, end_segment(w)))
			return true;
	}
}
