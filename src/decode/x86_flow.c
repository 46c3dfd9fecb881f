/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds which vector, mask and x87 registers an instruction reads and writes. These registers are
 * never a part of an address, but may contain a copy of one. For most of these instructions,
 * Capstone 4 does not report which operands are read or written. So a rule is used: the first
 * operand is written, and also read unless the instruction replaces it. All other operands are
 * read. Comparisons and the instructions of CLASS_READS only read. */

#include "base/count.h"
#include "base/prefix.h"
#include "decode/x86_classes.h"
#include "decode/x86_parts.h"

static bool in_range(unsigned reg, unsigned first, unsigned last)
{
	return reg >= first && reg <= last;
}

int x86_vector(unsigned reg)
{
	if (in_range(reg, X86_REG_XMM0, X86_REG_XMM31))
		return INSN_VECTOR + (int)(reg - X86_REG_XMM0);
	if (in_range(reg, X86_REG_YMM0, X86_REG_YMM31))
		return INSN_VECTOR + (int)(reg - X86_REG_YMM0);
	if (in_range(reg, X86_REG_ZMM0, X86_REG_ZMM31))
		return INSN_VECTOR + (int)(reg - X86_REG_ZMM0);
	return -1;
}

/* Returns the bit of a vector, mask or x87 register in a register mask; 0 for any other
 * register. */
static uint64_t flow_bit(unsigned reg)
{
	const int vector = x86_vector(reg);

	if (vector >= 0)
		return UINT64_C(1) << vector;
	if (in_range(reg, X86_REG_K0, X86_REG_K7))
		return UINT64_C(1) << (INSN_MASK + reg - X86_REG_K0);
	if (in_range(reg, X86_REG_MM0, X86_REG_MM7) || in_range(reg, X86_REG_ST0, X86_REG_ST7))
		return UINT64_C(1) << INSN_X87;
	return 0;
}

static bool is_vex(const cs_insn *i)
{
	uint8_t first = i->bytes[x86_prefixes(i->bytes, i->size)];

	return first == 0xc4 || first == 0xc5 || first == 0x62;
}

/* Does the instruction write its first operand without reading it? VEX and EVEX instructions do,
 * except for those in `updating`. Older instructions do not, except for those in `moving`. movhps,
 * movlps and similar instructions do so only if the first operand is in memory. */
static bool replaces_first(const cs_insn *i)
{
	static const char *const updating[] = { "vfm",       "vfnm",      "vpdp",
						"vpternlog", "vpermi2",   "vpermt2",
						"vpmadd52",  "vfixupimm", "vdpbf16" };
	static const char *const moving[] = { "mov",   "cvt",   "sqrt",   "rsqrt",  "rcp",
					      "pshuf", "lddqu", "pmovzx", "pmovsx", "pabs",
					      "round", "vmov",  "pmovmsk" };

	if (is_vex(i))
		return !begins_with_any(i->mnemonic, updating, COUNT_OF(updating));
	if (begins_with(i->mnemonic, "movh") || begins_with(i->mnemonic, "movlp"))
		return i->detail->x86.operands[0].type == X86_OP_MEM;
	return begins_with_any(i->mnemonic, moving, COUNT_OF(moving));
}

static bool is_x87(const cs_insn *i)
{
	uint8_t first = i->bytes[x86_prefixes(i->bytes, i->size)];

	return first >= 0xd8 && first <= 0xdf;
}

void x86_find_flow(const cs_insn *i, struct insn *out)
{
	const cs_x86 *x = &i->detail->x86;
	bool only_reads = x86_class(i->id) == CLASS_READS;

	for (int k = 0; k < x->op_count; k++) {
		uint64_t bit = x->operands[k].type == X86_OP_REG ? flow_bit(x->operands[k].reg) : 0;

		if (k == 0 && !only_reads && !begins_with(i->mnemonic, "ucom") &&
		    !begins_with(i->mnemonic, "comis") && !begins_with(i->mnemonic, "vucom") &&
		    !begins_with(i->mnemonic, "vcomis") && !begins_with(i->mnemonic, "ptest") &&
		    !begins_with(i->mnemonic, "vptest")) {
			out->writes |= bit;
			out->reads |= replaces_first(i) ? 0 : bit;
		} else {
			out->reads |= bit;
		}
	}
	if (begins_with(i->mnemonic, "vpmovm2")) /* Capstone 4 confuses its operands */
		out->writes |= ALL_VECTORS;
	if (is_x87(i)) {
		out->reads |= UINT64_C(1) << INSN_X87;
		out->writes |= UINT64_C(1) << INSN_X87;
	}
}

bool x86_is_zero_idiom(const cs_insn *i)
{
	static const char *const names[] = { "pxor",   "xor",    "sub",  "vpxor",
					     "vxorps", "vxorpd", "psub", "vpsub" };
	const cs_x86_op *op = i->detail->x86.operands;
	int n = i->detail->x86.op_count;

	if (n < 2 || !begins_with_any(i->mnemonic, names, COUNT_OF(names)) ||
	    begins_with(i->mnemonic, "subp") || begins_with(i->mnemonic, "subs"))
		return false;
	return op[n - 1].type == X86_OP_REG && op[n - 2].type == X86_OP_REG &&
	       op[n - 1].reg == op[n - 2].reg;
}
