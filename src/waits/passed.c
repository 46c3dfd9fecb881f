/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows the value of a register backwards along all ways that lead to an instruction, through
 * copies and through words of the stack frame, to the instructions that computed it. The result is
 * certain only if all of these load the same word of the block, and if the pointer to the block is
 * on all ways the function's first argument. In all other cases nothing is reported.
 */
#include "waits/passed.h"

#include "base/index.h"
#include "decode/perf_regs.h"
#include "waits/body.h"
#include "waits/places.h"

enum {
	MOST_CODE = 512 << 10, /* bytes of a function */
	/* instructions and registers that all searches for one instruction examine together */
	MOST_PLACES = 1 << 16,
};

/* Where a value comes from. */
struct origin {
	enum { ORIGIN_NONE, ORIGIN_ARGUMENT, ORIGIN_WORD, ORIGIN_UNKNOWN } kind;
	/* of ORIGIN_ARGUMENT: register at the start of the function; of ORIGIN_WORD: offset of the
	 * word in the block */
	int64_t what;
};

static const struct origin unknown = { .kind = ORIGIN_UNKNOWN };

/* What all searches for one instruction share. */
struct function {
	struct body b;
	uint32_t left; /* number of places that may still be examined */
	bool nomem;
};

/* The search for the origin of a value. */
struct search {
	struct function *f;
	struct places places;
};

static void add_place(struct search *s, uint32_t k, int reg)
{
	if (!places_add(&s->places, k, reg))
		s->f->nomem = true;
}

static struct origin same_origin(struct origin a, struct origin b)
{
	if (a.kind == ORIGIN_NONE)
		return b;
	return a.kind == b.kind && a.what == b.what ? a : unknown;
}

static struct origin origin_of(struct function *f, uint32_t k, int reg, bool is_word);

/* Instruction k computes the value. Returns its origin if the instruction loads it from the
 * block. */
static struct origin loaded_by(struct search *s, uint32_t k, const struct operation *op)
{
	struct origin block;

	if (!op->is_mov || !op->access || !op->mem.load || op->mem.bytes != 8 || op->mem.base < 0 ||
	    op->mem.index >= 0 || op->mem.ip_relative || op->mem.thread_relative)
		return unknown;
	block = origin_of(s->f, k, op->mem.base, false);
	if (block.kind != ORIGIN_ARGUMENT || block.what != REG_X86_DI)
		return unknown;
	return (struct origin){ ORIGIN_WORD, op->mem.disp };
}

/* The value is in register reg after instruction k. Adds the place from which the instruction
 * copies it, or returns its origin. With is_word, it may be a word of the block. */
static struct origin step_back(struct search *s, uint32_t k, int reg, bool is_word)
{
	const struct operation op = *body_operation(&s->f->b, k);
	/* a callee does not write to a word of the frame in which the compiler keeps a register */
	const bool written = regset_has(&op.writes, reg) &&
			     (reg < BODY_SLOT || s->f->b.insns.at[k].flow != FLOW_CALL);
	const bool copied =
		op.move.to == reg && op.move.from >= 0 && !op.move.add && !op.move.wraps32;

	if (written && !copied)
		return is_word ? loaded_by(s, k, &op) : unknown;
	add_place(s, k, written ? op.move.from : reg);
	return (struct origin){ 0 };
}

/* Examines one place: adds the places before it, or returns an origin. */
static struct origin examine(struct search *s, struct place p, bool is_word)
{
	uint32_t before[BODY_WAYS];
	const int n = body_all_before(&s->f->b, p.k, before);
	struct origin found = { 0 };

	if (n < 0 || (!n && p.k) || (!p.k && (is_word || p.reg >= BODY_SLOT)))
		return unknown;
	if (!p.k)
		found = (struct origin){ ORIGIN_ARGUMENT, p.reg };
	for (int i = 0; i < n; i++) {
		const struct origin next = step_back(s, before[i], p.reg, is_word);

		if (next.kind)
			found = same_origin(found, next);
	}
	return found;
}

/* Returns where the value comes from that register reg has before instruction k: the word of the
 * block if is_word is set, otherwise the argument. */
static struct origin origin_of(struct function *f, uint32_t k, int reg, bool is_word)
{
	struct search s = { .f = f };
	struct origin found = { 0 };

	add_place(&s, k, reg);
	for (uint32_t i = 0; i < s.places.n && found.kind != ORIGIN_UNKNOWN; i++) {
		const struct origin next = f->left ? examine(&s, s.places.at[i], is_word) : unknown;

		f->left -= f->left > 0;
		if (next.kind)
			found = same_origin(found, next);
	}
	places_release(&s.places);
	return found;
}

/* May the register contain an address: is it a general one, but not the stack pointer? */
static bool is_general(int reg)
{
	return reg <= REG_X86_BP || (reg >= REG_X86_R8 && reg <= REG_X86_R15);
}

int passed_registers(struct decoder *d, const uint8_t *code, size_t len, size_t at,
		     struct passed_register out[PASSED_REGISTERS], unsigned *n)
{
	struct function f = { .left = MOST_PLACES };
	int64_t k;

	*n = 0;
	if (len > MOST_CODE)
		return 0;
	f.nomem = !body_init(&f.b, d, code, len);
	k = f.nomem ? BODY_NOWHERE : body_find(&f.b, at);
	for (int reg = 0; k >= 0 && reg <= REG_X86_R15; reg++) {
		struct origin o = { 0 };

		if (is_general(reg))
			o = origin_of(&f, (uint32_t)k, reg, true);
		if (o.kind == ORIGIN_WORD)
			out[(*n)++] = (struct passed_register){ (int8_t)reg, o.what };
	}
	f.nomem |= f.b.nomem;
	body_release(&f.b);
	return f.nomem ? MD_ENOMEM : 0;
}
