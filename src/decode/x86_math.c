/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognizes arithmetic that takes longer than a cycle, by the name of the instruction. */
#include <string.h>

#include "base/count.h"
#include "decode/x86_parts.h"

/* Does the name mean this operation on float or double, as addsd and mulps do? */
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
