/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/spilled.h"

#include "waits/slots.h"

enum {
	MOST_LOADING = 16, /* instructions that are searched for the load of a pointer */
	PARTS = 2,         /* registers of an address */
};

/* An address: the sum of parts and a constant. The search goes back from its instruction, until
 * each part has a value that is known at ip. */
struct sum {
	struct part {
		int reg;       /* -1: absent. May also be a word of the frame */
		uint8_t times; /* factor; 1 for the first part */
		bool known;    /* whether `term` is known */
		struct wait_term term;
	} parts[PARTS];
	int64_t disp;
};

/* Finds the term of a word of the frame: of a register that always has its value, or that has been
 * loaded from the word between the instruction and ip. */
static bool find_word(struct body *b, const struct values *v, int slot, struct wait_term *out)
{
	const int kept = body_kept_in(b, (unsigned)(slot - BODY_SLOT));

	*out = (struct wait_term){ .reg = (int8_t)kept };
	return kept >= 0 || values_term(v, slot, out);
}

/* Is this a word that a callee or a store through a pointer may change? Then its value is unknown
 * even between two loads of it. */
static bool is_shared(struct body *b, int reg)
{
	return reg >= BODY_SLOT && !(body_private_slots(b) >> (reg - BODY_SLOT) & 1);
}

/* Finds the terms of those parts whose values are known before an instruction. `v` has the values
 * of the registers there. */
static void find_terms(struct body *b, const struct values *v, struct sum *s)
{
	for (int i = 0; i < PARTS; i++) {
		struct part *p = &s->parts[i];

		if (!p->known)
			p->known = p->reg < BODY_SLOT ? values_term(v, p->reg, &p->term)
						      : find_word(b, v, p->reg, &p->term);
	}
}

static bool is_complete(const struct sum *s)
{
	return s->parts[0].known && s->parts[1].known;
}

/* Is this the addition of two 64-bit registers? A sum (struct insn_sum) may also have a constant,
 * or 32 bits. */
static bool is_addition(const struct body *b, uint32_t k)
{
	const uint8_t *code = b->code + b->insns.at[k].at;

	return b->insns.at[k].size == 3 && (code[0] & 0xf8) == 0x48 &&
	       (code[1] == 0x01 || code[1] == 0x03) && code[2] >= 0xc0;
}

/* Instruction k sets the register of part *p. If it adds two registers, replaces the part with
 * them. Returns false if it does something else, or if there is no room. */
static bool split(struct body *b, uint32_t k, struct sum *s, struct part *p)
{
	struct part *other = &s->parts[p == s->parts];
	const struct insn_sum *m = &body_operation(b, k)->sum;

	if (!is_addition(b, k) || m->to != p->reg || m->from[0] < 0 || m->from[1] < 0 ||
	    other->reg >= 0 || p->times != 1)
		return false;
	*other = (struct part){ .reg = m->from[1], .times = 1 };
	*p = (struct part){ .reg = m->from[0], .times = 1 };
	return true;
}

/* Replaces the parts that instruction k sets by what it sets them to. Returns false if that is not
 * known. */
static bool go_back(struct body *b, uint32_t k, struct sum *s)
{
	const struct operation o = *body_operation(b, k);
	const struct insn_move *m = &o.move;

	for (int i = 0; i < PARTS; i++) {
		struct part *p = &s->parts[i];

		if (p->known || !regset_has(&o.writes, p->reg))
			continue;
		if (m->to != p->reg || m->wraps32)
			return split(b, k, s, p);
		if (is_shared(b, m->from))
			return false;
		s->disp += (int64_t)p->times * m->add;
		p->reg = m->from;
	}
	return true;
}

bool spilled_address(struct body *b, uint32_t k, const struct values *v, const struct insn_mem *m,
		     struct wait_address *out)
{
	struct values values = *v;
	struct body_way way[BODY_WAYS];
	struct sum s = { .disp = m->disp,
			 .parts = { { .reg = m->base, .times = 1 },
				    { .reg = m->index, .times = m->scale } } };

	if (!b->frame_pointer || m->elements || m->ip_relative || m->wraps32 || m->base < 0)
		return false;
	find_terms(b, &values, &s);
	for (int i = 0; i < MOST_LOADING && !is_complete(&s); i++) {
		if (body_before(b, k, way) != 1 || way[0].around || !go_back(b, way[0].from, &s))
			break;
		k = way[0].from;
		values_back(&values, body_operation(b, k));
		find_terms(b, &values, &s);
	}
	*out = (struct wait_address){ .base = s.parts[0].term,
				      .index = s.parts[1].term,
				      .scale = s.parts[1].times,
				      .thread_relative = m->thread_relative,
				      .disp = s.disp };
	return is_complete(&s);
}
