/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/slots.h"

#include "decode/perf_regs.h"

enum {
	WORD = 8,
	MOST_PRIVATE = 4096, /* instructions; in larger functions, no words count as private */
	MOST_COPIES = 4,     /* copies of a word that are followed */
};

/* Does an instruction set the frame pointer to the stack pointer? */
static bool sets_frame(const struct insn_move *m)
{
	return m->to == REG_X86_BP && m->from == REG_X86_SP && !m->add && !m->wraps32;
}

static bool is_push_of_frame(const struct body *b, uint32_t k)
{
	return b->insns.at[k].size == 1 && b->code[b->insns.at[k].at] == 0x55;
}

/*
 * Is rbp the frame pointer wherever the function uses it? Then compilers address each variable
 * through only one of rbp and rsp, so what is known about one of them says nothing about words at
 * the other one. Otherwise rbp may be a copy of rsp that points to a variable: the prologue sets
 * the frame pointer right after it has saved rbp, before rsp changes again.
 */
static bool has_frame_pointer(struct body *b)
{
	bool pushed = false;

	for (uint32_t k = 0; k < b->insns.n; k++) {
		const struct operation *o = body_operation(b, k);

		if (b->insns.at[k].flow != FLOW_ON)
			continue;
		if (o->writes.regs >> REG_X86_SP & 1)
			pushed = is_push_of_frame(b, k);
		else if (o->writes.regs >> REG_X86_BP & 1 && !(pushed && sets_frame(&o->move)))
			return false;
	}
	return true;
}

/* Returns the words at `base` with a byte in the range from `from` up to `to`. */
static uint64_t slots_in(const struct body *b, int base, int64_t from, int64_t to)
{
	uint64_t slots = 0;

	for (uint32_t i = 0; i < b->nslots; i++)
		if (b->slots[i].base == base && b->slots[i].disp < to &&
		    b->slots[i].disp + WORD > from)
			slots |= UINT64_C(1) << i;
	return slots;
}

static uint64_t slots_at(const struct body *b, int base)
{
	return slots_in(b, base, INT64_MIN, INT64_MAX);
}

/* Returns the words that can be reached from an address that is a copy of *m. Optimised code, which
 * addresses variables through rsp, also computes addresses at the end of an array and steps back.
 * No variable is at rbp: a plain copy of it is the first step to an address anywhere. */
static uint64_t reached_from(const struct body *b, const struct insn_move *m)
{
	if (m->from == REG_X86_SP || !m->add || m->wraps32)
		return slots_at(b, m->from);
	return slots_in(b, m->from, m->add, INT64_MAX);
}

/* Returns the words that an access relative to the stack or frame pointer changes, except for the
 * word that begins at its address. An index may be negative, as in a loop that counts up to 0. */
static uint64_t changed_by(const struct body *b, const struct insn_mem *m)
{
	uint64_t exact = 0;

	if (!m->store)
		return 0;
	if (m->index >= 0)
		return slots_at(b, m->base);
	for (uint32_t i = 0; i < b->nslots; i++)
		if (b->slots[i].base == m->base && b->slots[i].disp == m->disp)
			exact |= UINT64_C(1) << i;
	return slots_in(b, m->base, m->disp, m->bytes ? m->disp + m->bytes : INT64_MAX) & ~exact;
}

/* Returns the words at the stack or frame pointer `base` that instruction k shares. An instruction
 * that changes rsp, or goes elsewhere, uses rsp and rbp for the frame itself. */
static uint64_t shared_by(struct body *b, uint32_t k, int base)
{
	const struct operation *o = body_operation(b, k);
	const struct insn_mem *m = &o->mem;

	if (b->insns.at[k].flow != FLOW_ON || o->writes.regs >> REG_X86_SP & 1)
		return 0;
	if (o->move.to >= 0 && o->move.from == base)
		return sets_frame(&o->move) ? 0 : reached_from(b, &o->move);
	if ((m->load || m->store) && m->base == base)
		return changed_by(b, m);
	return o->reads.regs >> base & 1 ? slots_at(b, base) : 0;
}

uint64_t body_shared_slots(struct body *b)
{
	uint64_t slots = 0;

	for (uint32_t k = 0; k < b->insns.n; k++)
		body_operation(b, k); /* finds the words of the frame */
	if (b->frame_pointer && !has_frame_pointer(b))
		return UINT64_MAX;
	for (uint32_t k = 0; k < b->insns.n; k++) {
		slots |= shared_by(b, k, REG_X86_SP);
		if (b->frame_pointer)
			slots |= shared_by(b, k, REG_X86_BP);
	}
	return slots;
}

/* Is instruction k in no loop? Each loop contains a jump back from k or a later instruction to k or
 * an earlier one. */
static bool is_in_no_loop(const struct body *b, uint32_t k)
{
	for (uint32_t i = 0; i < b->jumps.n && b->jumps.at[i].to <= k; i++)
		if (b->jumps.at[i].from >= k)
			return false;
	return true;
}

static uint64_t find_private(struct body *b)
{
	if (!b->frame_pointer || b->partial || b->indirect || b->insns.n > MOST_PRIVATE)
		return 0;
	return ~body_shared_slots(b) & slots_at(b, REG_X86_BP);
}

/* Returns those of the private words that only one instruction sets, in no loop: they keep one
 * value each time the function runs. Stores in setters[] which instruction sets each. Adds to
 * *written the registers that the function changes. */
static uint64_t find_lasting(struct body *b, uint32_t setters[BODY_SLOTS], uint64_t *written)
{
	uint64_t set = 0, lasting = b->private_slots;

	for (uint32_t k = 0; k < b->insns.n; k++) {
		const struct regset writes = body_operation(b, k)->writes;
		const uint64_t first = writes.slots & lasting & ~set;

		lasting &= ~(writes.slots & set);
		if (first && !is_in_no_loop(b, k))
			lasting &= ~first;
		for (uint64_t w = first; w; w &= w - 1)
			setters[__builtin_ctzll(w)] = k;
		set |= writes.slots;
		*written |= writes.regs;
	}
	return lasting & set;
}

/* Returns the register or word that instruction k copies to a register or word; -1 if it does
 * something else. */
static int copied_by(struct body *b, uint32_t k, int to)
{
	const struct insn_move *m = &body_operation(b, k)->move;

	return m->to == to && m->from != to && !m->add && !m->wraps32 ? m->from : -1;
}

/* Finds the register that a lasting word is a copy of, perhaps through other lasting words: mov
 * %rdi,-24(%rbp); mov -24(%rbp),%rax; mov %rax,-16(%rbp). Returns -1 if there is none. */
static int find_kept(struct body *b, unsigned slot, const uint32_t setters[BODY_SLOTS],
		     uint64_t lasting, uint64_t written)
{
	for (int i = 0; i < MOST_COPIES; i++) {
		const uint32_t k = setters[slot];
		int from = copied_by(b, k, BODY_SLOT + (int)slot);
		uint32_t before[BODY_WAYS];

		if (from >= 0 && from < BODY_GENERAL && !(written >> from & 1))
			return from;
		if (from < 0 || body_all_before(b, k, before) != 1 || before[0] + 1 != k)
			return -1;
		from = copied_by(b, k - 1, from);
		if (from < BODY_SLOT || !(lasting >> (from - BODY_SLOT) & 1))
			return -1;
		slot = (unsigned)(from - BODY_SLOT);
	}
	return -1;
}

uint64_t body_private_slots(struct body *b)
{
	uint32_t setters[BODY_SLOTS];
	uint64_t lasting, written = 0;

	if (b->has_private)
		return b->private_slots;
	b->has_private = true;
	b->private_slots = find_private(b);
	lasting = b->private_slots ? find_lasting(b, setters, &written) : 0;
	for (unsigned i = 0; i < BODY_SLOTS; i++)
		b->kept[i] =
			lasting >> i & 1 ? (int8_t)find_kept(b, i, setters, lasting, written) : -1;
	return b->private_slots;
}

int body_kept_in(struct body *b, unsigned i)
{
	return body_private_slots(b) >> i & 1 ? b->kept[i] : -1;
}
