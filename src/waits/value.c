/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/value.h"

#include "decode/perf_regs.h"

static int64_t add64(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

void values_init(struct values *v)
{
	*v = (struct values){ 0 };
	for (int r = 0; r <= REG_X86_R15; r++)
		if (r <= REG_X86_SP || r >= REG_X86_R8)
			v->at[r] = (struct value){ .known = true, .from = (int8_t)r };
}

static void forget_written(struct values *v, const struct operation *o)
{
	for (uint64_t m = o->writes.regs; m; m &= m - 1)
		v->at[__builtin_ctzll(m)].known = false;
	for (uint64_t m = o->writes.slots; m; m &= m - 1)
		v->at[BODY_SLOT + __builtin_ctzll(m)].known = false;
}

void values_back(struct values *v, const struct operation *o)
{
	const struct insn_move *m = &o->move;
	struct value moved = { 0 };

	if (m->to >= 0)
		moved = v->at[m->to];
	forget_written(v, o);
	/* mov %edi,%eax does not copy the upper half of %rdi, which may be part of an address. */
	if (!moved.known || v->at[m->from].known || (m->wraps32 && !m->add))
		return;
	moved.add = add64(moved.add, (int64_t)(0 - (uint64_t)m->add));
	moved.wraps32 = moved.wraps32 || m->wraps32;
	v->at[m->from] = moved;
}

void values_on(struct values *v, const struct operation *o)
{
	const struct insn_move *m = &o->move;
	struct value moved = { 0 };

	if (m->to >= 0)
		moved = v->at[m->from];
	forget_written(v, o);
	if (!moved.known)
		return;
	moved.add = add64(moved.add, m->add);
	moved.wraps32 = moved.wraps32 || m->wraps32;
	v->at[m->to] = moved;
}

bool values_term(const struct values *v, int reg, struct wait_term *out)
{
	const struct value *x;

	*out = (struct wait_term){ .reg = -1 };
	if (reg < 0)
		return true;
	x = &v->at[reg];
	if (!x->known || x->add != (int32_t)x->add)
		return false;
	*out = (struct wait_term){ .reg = x->from, .wraps32 = x->wraps32, .add = (int32_t)x->add };
	return true;
}

static struct wait_address relative_address(const struct insn_mem *m, int64_t offset)
{
	return (struct wait_address){ .base = { .reg = -1 },
				      .index = { .reg = -1 },
				      .scale = m->scale,
				      .ip_relative = m->ip_relative,
				      .thread_relative = m->thread_relative,
				      .wraps32 = m->wraps32,
				      .disp = m->ip_relative ? add64(m->disp, offset) : m->disp };
}

bool values_address(const struct values *v, const struct insn_mem *m, int64_t offset,
		    struct wait_address *out)
{
	*out = relative_address(m, offset);
	return values_term(v, m->base, &out->base) && values_term(v, m->index, &out->index);
}

/* An array at a fixed address has no base register: m->disp is its address. If an operand has two
 * registers and scale 1, either may contain the pointer. So if the value of the base register is
 * lost, the index register is used. */
bool values_base(const struct values *v, const struct insn_mem *m, int64_t offset,
		 struct wait_address *out)
{
	*out = relative_address(m, offset);
	if (m->base < 0)
		return m->index >= 0;
	if (m->index < 0)
		return false;
	/* a constant may lead out of a block, so without it the address is surely in the block. But
	 * the stack pointer is in no variable: the constant leads to the one that is meant */
	if (m->base != REG_X86_SP)
		out->disp = 0;
	if (values_term(v, m->base, &out->base))
		return true;
	out->base.reg = -1;
	out->disp = 0;
	return m->scale == 1 && values_term(v, m->index, &out->index);
}
