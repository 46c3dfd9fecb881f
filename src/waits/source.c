/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/source.h"

#include "base/index.h"
#include "decode/perf_regs.h"
#include "waits/body.h"
#include "waits/places.h"
#include "waits/slots.h"

enum {
	MOST_CODE = 512 << 10, /* bytes of a function */
	MOST_PLACES = 1 << 12, /* instructions and registers that one search examines */
};

/* Registers in which a function gets arguments. */
#define ARGUMENTS                                                                            \
	(UINT64_C(1) << REG_X86_DI | UINT64_C(1) << REG_X86_SI | UINT64_C(1) << REG_X86_DX | \
	 UINT64_C(1) << REG_X86_CX | UINT64_C(1) << REG_X86_R8 | UINT64_C(1) << REG_X86_R9)

struct search {
	struct body b;
	source_variable_fn *variable;
	void *arg;
	struct places places;
	struct source found; /* the source on the ways that were examined */
	/* whether `found` is right only if no instruction on these ways changes the stack pointer,
	 * and whether one does; a call does not, because the callee restores it */
	bool needs_top, moves_top;
	/* whether `found` is right only if no instruction on these ways adds to the value, and
	 * whether one does */
	bool needs_same, adds;
	/* words of the frame that other code may change; valid if has_addressed is set */
	uint64_t addressed;
	bool has_addressed;
	bool fails, nomem;
};

static void add_place(struct search *s, uint32_t k, int reg)
{
	if (!places_add(&s->places, k, reg))
		s->nomem = s->fails = true;
}

static void add_source(struct search *s, struct source new)
{
	if (s->found.kind == SOURCE_UNKNOWN)
		s->found = new;
	else if (s->found.kind != new.kind || s->found.reg != new.reg ||
		 s->found.variable != new.variable || s->found.is_address != new.is_address)
		s->fails = true;
}

static struct source_place describe(const struct body *b, struct place p)
{
	struct source_place d = { .insn = b->insns.at[p.k].at, .reg = (int8_t)p.reg };

	d.in_slot = p.reg >= BODY_SLOT;
	if (d.in_slot) {
		d.reg = b->slots[p.reg - BODY_SLOT].base;
		d.slot = b->slots[p.reg - BODY_SLOT].disp;
	}
	return d;
}

/* Is this the stack pointer or the frame pointer? A sum of one of them and a constant is the
 * address of something else in the frame. */
static bool is_frame_address(const struct body *b, int reg)
{
	return reg == REG_X86_SP || (reg == REG_X86_BP && b->frame_pointer);
}

/* May a callee, or a store through a pointer, change this word of the frame? */
static bool has_address(struct search *s, int slot)
{
	if (!s->has_addressed)
		s->addressed = body_shared_slots(&s->b);
	s->has_addressed = true;
	return s->addressed >> (slot - BODY_SLOT) & 1;
}

/* Instruction k copies the stack pointer. Debug information may say that the stack pointer itself
 * contains the address of an array: after this instruction or, if the stack pointer does not change
 * in between, where the search began. Returns true if this is the source. */
static bool is_array_at_top(struct search *s, uint32_t k, const struct insn_move *m)
{
	struct source_place at = { .insn = s->b.insns.at[k].at + s->b.insns.at[k].size,
				   .reg = REG_X86_SP };
	const void *v = NULL;

	if (!s->variable || m->from != REG_X86_SP || m->add)
		return false;
	v = s->variable(&at, s->arg);
	if (!v) {
		at.insn = s->b.insns.at[s->places.at[0].k].at;
		v = s->variable(&at, s->arg);
		s->needs_top |= v != NULL;
	}
	if (v)
		add_source(s, (struct source){ .kind = SOURCE_VARIABLE, .variable = v });
	return v;
}

/* Instruction k computes an address in the frame. Returns true if a variable is there. The sum of
 * this address and a number may be in another variable: compilers let a pointer begin one element
 * before an array if they add to it before each use. */
static bool is_in_frame(struct search *s, uint32_t k, const struct insn_move *m)
{
	const struct source_place at = {
		.insn = s->b.insns.at[k].at, .reg = m->from, .is_address = true, .slot = m->add
	};
	const void *v;

	if (!s->variable || !is_frame_address(&s->b, m->from))
		return false;
	v = s->variable(&at, s->arg);
	if (v)
		add_source(s, (struct source){
				      .kind = SOURCE_VARIABLE, .variable = v, .is_address = true });
	s->needs_same |= v != NULL;
	return v;
}

/* The value is in register reg after instruction k. Adds the place from which the instruction
 * copies it. */
static void step_back(struct search *s, uint32_t k, int reg)
{
	const struct operation op = *body_operation(&s->b, k);
	const bool written = regset_has(&op.writes, reg) &&
			     (reg < BODY_SLOT || s->b.insns.at[k].flow != FLOW_CALL);

	s->moves_top |= regset_has(&op.writes, REG_X86_SP) && s->b.insns.at[k].flow != FLOW_CALL;
	if (!written) {
		add_place(s, k, reg);
		return;
	}
	if (op.move.to != reg || op.move.from < 0 || op.move.wraps32 ||
	    (op.move.from >= BODY_SLOT && has_address(s, op.move.from))) {
		s->fails = true;
		return;
	}
	if (is_array_at_top(s, k, &op.move) || is_in_frame(s, k, &op.move))
		return;
	s->fails |= op.move.add && is_frame_address(&s->b, op.move.from);
	s->adds |= op.move.add != 0;
	add_place(s, k, op.move.from);
}

/* Examines one place: finds the source in it, or adds the places before it. */
static void examine(struct search *s, struct place p)
{
	const struct source_place d = describe(&s->b, p);
	const void *variable = s->variable ? s->variable(&d, s->arg) : NULL;
	uint32_t before[BODY_WAYS];
	int n;

	if (variable) {
		add_source(s, (struct source){ .kind = SOURCE_VARIABLE, .variable = variable });
		return;
	}
	n = body_all_before(&s->b, p.k, before);
	if (n < 0 || (!n && p.k) || (!p.k && (p.reg >= BODY_SLOT || !(ARGUMENTS >> p.reg & 1)))) {
		s->fails = true;
		return;
	}
	if (!p.k)
		add_source(s, (struct source){ .kind = SOURCE_ARGUMENT, .reg = (int8_t)p.reg });
	for (int i = 0; i < n && !s->fails; i++)
		step_back(s, before[i], p.reg);
}

/* Returns the register number of body.h for the place; -1 if no instruction so far uses this word
 * of the frame. */
static int register_of(struct search *s, const struct source_place *of)
{
	const struct body *b = &s->b;

	if (!of->in_slot)
		return of->reg;
	has_address(s, BODY_SLOT); /* finds the words of the frame */
	for (uint32_t i = 0; i < b->nslots; i++)
		if (b->slots[i].base == of->reg && b->slots[i].disp == of->slot)
			return has_address(s, BODY_SLOT + (int)i) ? -1 : BODY_SLOT + (int)i;
	return -1;
}

/* Does instruction `first` always run before `last`, and right before it, without a jump? */
static bool is_straight(const struct body *b, uint32_t first, uint32_t last)
{
	const uint32_t jump = VEC_LOWER_BOUND(&b->jumps, to, first + 1);

	for (uint32_t k = first; k < last; k++)
		if (b->insns.at[k].flow != FLOW_ON && b->insns.at[k].flow != FLOW_CALL)
			return false;
	return first <= last && (jump == b->jumps.n || b->jumps.at[jump].to > last);
}

static void search(struct search *s, const struct source_place *of)
{
	const uint32_t after = VEC_LOWER_BOUND(&s->b.insns, at, of->insn + 1);
	const uint32_t used = VEC_LOWER_BOUND(&s->b.insns, at, of->used + 1);
	const int reg = register_of(s, of);

	if (!after || reg < 0 || s->b.indirect || s->b.partial ||
	    !is_straight(&s->b, after - 1, used - 1))
		return;
	add_place(s, after - 1, reg);
	for (uint32_t i = 0; i < s->places.n && !s->fails; i++) {
		s->fails |= i == MOST_PLACES;
		if (!s->fails)
			examine(s, s->places.at[i]);
	}
}

int source_find(struct decoder *d, const uint8_t *code, size_t len, const struct source_place *of,
		source_variable_fn *variable, void *arg, struct source *out)
{
	struct search s = { .variable = variable, .arg = arg };

	*out = (struct source){ 0 };
	if (len > MOST_CODE)
		return 0;
	s.nomem = !body_init(&s.b, d, code, len);
	if (!s.nomem)
		search(&s, of);
	s.nomem |= s.b.nomem;
	if (!s.fails && !s.nomem && !(s.needs_top && s.moves_top) && !(s.needs_same && s.adds))
		*out = s.found;
	places_release(&s.places);
	body_release(&s.b);
	return s.nomem ? MD_ENOMEM : 0;
}
