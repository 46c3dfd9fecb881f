/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognizes arithmetic that takes longer than a cycle. Also finds how results grow in loops, how
 * large they can be, of which registers they are sums, which are constant, and what is compared. */
#include <string.h>

#include "base/count.h"
#include "decode/perf_regs.h"
#include "decode/x86_parts.h"

/* Is `name` an instruction that applies this operation to float or double numbers, as addsd and
 * mulps do? */
static bool is_float(const char *name, const char *operation)
{
	size_t n = strlen(operation);

	return !strncmp(name, operation, n) && (name[n] == 's' || name[n] == 'p') &&
	       (name[n + 1] == 's' || name[n + 1] == 'd') && !name[n + 2];
}

static enum insn_math float_math(const char *name)
{
	static const struct {
		const char *operation;
		enum insn_math math;
	} all[] = {
		{ "add", MATH_ADD },      { "sub", MATH_ADD },    { "min", MATH_ADD },
		{ "max", MATH_ADD },      { "addsub", MATH_ADD }, { "hadd", MATH_ADD },
		{ "mul", MATH_MULTIPLY }, { "div", MATH_DIVIDE }, { "sqrt", MATH_ROOT },
	};

	for (size_t i = 0; i < COUNT_OF(all); i++)
		if (is_float(name, all[i].operation))
			return all[i].math;
	return MATH_SIMPLE;
}

void x86_find_math(const cs_insn *i, struct insn *out)
{
	const char *name = i->mnemonic;

	switch (i->id) {
	case X86_INS_IMUL:
	case X86_INS_MUL:
	case X86_INS_MULX:
		out->math = MATH_MULTIPLY;
		return;
	case X86_INS_DIV:
	case X86_INS_IDIV:
		out->math = MATH_DIVIDE;
		return;
	default:
		break;
	}
	if (!strncmp(name, "vfm", 3) || !strncmp(name, "vfnm", 4))
		out->math = MATH_FUSED;
	else
		out->math = float_math(name + (name[0] == 'v'));
}

void x86_find_growth(const cs_insn *i, struct insn *out)
{
	if (out->mem.load || out->mem.store)
		return;
	switch (i->id) {
	case X86_INS_ADD:
	case X86_INS_SUB:
	case X86_INS_LEA:
	case X86_INS_SHL:
		out->growth = GROWTH_FIXED;
		break;
	case X86_INS_IMUL:
		if (i->detail->x86.op_count == 2)
			out->growth = GROWTH_PRODUCT;
		break;
	case X86_INS_AND:
	case X86_INS_MOV:
	case X86_INS_MOVZX:
	case X86_INS_MOVSX:
	case X86_INS_MOVSXD:
	case X86_INS_CDQE:
		out->growth = GROWTH_KEPT;
		break;
	default:
		break;
	}
}

/* Handles only results of 32 and 64 bits: an instruction with a smaller result leaves the upper
 * bits of the register unchanged. */
void x86_find_most(const cs_insn *i, struct insn *out)
{
	const cs_x86 *x = &i->detail->x86;
	const unsigned bits = 8u * x->operands[0].size;
	int64_t by;

	if (x->op_count != 2 || x->operands[0].type != X86_OP_REG || bits < 32 || bits > 64)
		return;
	if (i->id == X86_INS_MOVZX)
		out->most = x->operands[1].size == 1 ? UINT8_MAX : UINT16_MAX;
	if (x->operands[1].type != X86_OP_IMM)
		return;
	by = x->operands[1].imm;
	if (i->id == X86_INS_AND && by > 0 && by <= INT32_MAX)
		out->most = (uint32_t)by;
	else if (i->id == X86_INS_SHR && by > 0 && by < bits && bits - by < 32)
		out->most = (UINT32_C(1) << (bits - by)) - 1;
}

/* Returns the sum that lea computes from its base register and its scaled index register. */
static struct insn_sum sum_of_lea(const x86_op_mem *m)
{
	struct insn_sum s = { .from = { -1, -1 }, .times = { 1, (uint32_t)m->scale } };

	if (m->disp) /* lea with a displacement is not reported as a sum */
		return s;
	s.from[0] = (int8_t)(m->base ? x86_general(m->base) : -1);
	s.from[1] = (int8_t)(m->index ? x86_general(m->index) : -1);
	return s;
}

/* Returns the product that shl or imul computes from a register and a constant. */
static struct insn_sum product_of(const cs_insn *i)
{
	const cs_x86 *x = &i->detail->x86;
	const cs_x86_op *last = &x->operands[x->op_count - 1], *from = last - 1;
	const bool shifts = i->id != X86_INS_IMUL;
	struct insn_sum s = { .from = { -1, -1 } };

	if (x->op_count < 2 || last->type != X86_OP_IMM || from->type != X86_OP_REG ||
	    last->imm <= 0 || last->imm > (shifts ? 30 : INT32_MAX))
		return s;
	s.from[0] = (int8_t)x86_general(from->reg);
	s.times[0] = shifts ? UINT32_C(1) << last->imm : (uint32_t)last->imm;
	return s;
}

void x86_find_sum(const cs_insn *i, struct insn *out)
{
	const cs_x86 *x = &i->detail->x86;
	const cs_x86_op *op = x->operands;
	struct insn_sum s = { .from = { -1, -1 }, .times = { 1, 1 } };

	if (i->id == X86_INS_CDQE) {
		out->sum = (struct insn_sum){ REG_X86_AX, { REG_X86_AX, -1 }, { 1, 0 } };
		return;
	}
	if (x->op_count < 2 || op[0].type != X86_OP_REG || op[0].size < 4)
		return;
	switch (i->id) {
	case X86_INS_LEA:
		s = sum_of_lea(&op[1].mem);
		break;
	case X86_INS_IMUL:
	case X86_INS_SHL:
	case X86_INS_SAL:
		s = product_of(i);
		break;
	case X86_INS_ADD:
		s.from[0] = (int8_t)x86_general(op[0].reg);
		if (op[1].type == X86_OP_REG)
			s.from[1] = (int8_t)x86_general(op[1].reg);
		if (op[1].type == X86_OP_MEM)
			s.from[0] = -1;
		break;
	case X86_INS_MOV:
	case X86_INS_MOVSXD:
		if (op[1].type == X86_OP_REG && op[1].size >= 4)
			s.from[0] = (int8_t)x86_general(op[1].reg);
		break;
	default:
		break;
	}
	s.to = (int8_t)(s.from[0] >= 0 || s.from[1] >= 0 ? x86_general(op[0].reg) : -1);
	out->sum = s;
}

/* Only results of 32 and 64 bits are complete: a smaller one leaves the upper bits of the register
 * unchanged. */
void x86_find_constant(const cs_insn *i, struct insn *out)
{
	const cs_x86 *x = &i->detail->x86;
	const cs_x86_op *op = x->operands;
	struct insn_constant c = { .to = -1 };

	if (x->op_count == 2 && op[0].type == X86_OP_REG && (op[0].size == 4 || op[0].size == 8))
		c.to = (int8_t)x86_general(op[0].reg);
	if (i->id == X86_INS_LEA && x->addr_size == 8 && op[1].mem.base == X86_REG_RIP) {
		c.ip_relative = true;
		c.value = op[1].mem.disp + i->size;
	} else if ((i->id == X86_INS_MOV || i->id == X86_INS_MOVABS) && op[1].type == X86_OP_IMM) {
		c.value = op[0].size == 4 ? (uint32_t)op[1].imm : op[1].imm;
	} else if (!x86_is_zero_idiom(i)) {
		return;
	}
	out->constant = c;
}

void x86_find_compare(const cs_insn *i, struct insn *out)
{
	const cs_x86 *x = &i->detail->x86;
	const cs_x86_op *op = x->operands;
	struct insn_compare c = { .with = -1 };
	const bool adds = out->move.to >= 0 && out->move.to == out->move.from &&
			  (i->id == X86_INS_ADD || i->id == X86_INS_SUB || i->id == X86_INS_INC ||
			   i->id == X86_INS_DEC);

	if (!x->op_count || op[0].type != X86_OP_REG || (op[0].size != 4 && op[0].size != 8))
		return;
	c.reg = (int8_t)x86_general(op[0].reg);
	c.wraps32 = op[0].size == 4;
	if (i->id == X86_INS_CMP && op[1].type == X86_OP_REG)
		c.with = (int8_t)x86_general(op[1].reg);
	else if (i->id == X86_INS_CMP && op[1].type == X86_OP_IMM)
		c.value = op[1].imm;
	else if (!adds &&
		 (i->id != X86_INS_TEST || op[1].type != X86_OP_REG || op[1].reg != op[0].reg))
		return;
	out->compare = c;
}
