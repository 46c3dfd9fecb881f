/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes gathers and scatters, and what is needed of AVX-512 instructions that Capstone does not
 * know. Capstone 4 does not know vpgatherqq of 32 bytes, and reports a general register as the
 * index of vscatterqpd. Source: Intel 64 and IA-32 Architectures Software Developer's Manual,
 * volume 2, sections 2.3.12 (VSIB memory addressing), 2.7.1 (EVEX prefix) and 2.7.5 (disp8*N). */
#include "decode/perf_regs.h"
#include "decode/x86_parts.h"

#include <string.h>

#define BIT(r) (UINT64_C(1) << (r))

enum { MAP_0F38 = 2, MAP_0F3A = 3, MASKS = 8 };

/* A VEX or EVEX instruction with an opcode of the maps 0F38 or 0F3A. */
struct vector_insn {
	const uint8_t *modrm;
	unsigned map;
	uint8_t opcode;
	bool evex;
	bool wide;       /* bit W of the prefix */
	unsigned length; /* size of a vector register, bytes */
	/* the upper bits of register numbers, already in their places: of ModRM.reg, of the base or
	 * of ModRM.rm, and of the index; `upper` is bit 4 of a vector index */
	unsigned reg, base, index, upper;
};

/* Reads the prefix of the instruction at p[0..size), after its legacy prefixes. Bits that extend
 * registers are stored inverted. Returns false if it is no such instruction. */
static bool read_prefix(const uint8_t *p, size_t size, struct vector_insn *v)
{
	const bool vex = size >= 5 && p[0] == 0xc4, evex = size >= 6 && p[0] == 0x62;
	const uint8_t *last = p + (evex ? 3 : 2);

	if (!vex && !evex)
		return false;
	*v = (struct vector_insn){ .modrm = last + 2,
				   .map = p[1] & (evex ? 7 : 0x1f),
				   .opcode = last[1],
				   .evex = evex,
				   .wide = p[2] >> 7,
				   .length = 16u << (evex ? *last >> 5 & 3 : *last >> 2 & 1),
				   .reg = (p[1] >> 7 ? 0 : 8) + (evex && !(p[1] & 0x10) ? 16 : 0),
				   .index = p[1] & 0x40 ? 0 : 8,
				   .base = p[1] & 0x20 ? 0 : 8,
				   .upper = evex && !(*last & 8) ? 16 : 0 };
	return v->map == MAP_0F38 || v->map == MAP_0F3A;
}

/* Sets the operand of a gather or scatter from ModRM, the SIB byte and the displacement. A
 * displacement of one byte counts elements if the prefix is EVEX. */
static void read_operand(const struct vector_insn *v, struct insn_mem *m)
{
	static const int8_t general[] = { REG_X86_AX,  REG_X86_CX,  REG_X86_DX,  REG_X86_BX,
					  REG_X86_SP,  REG_X86_BP,  REG_X86_SI,  REG_X86_DI,
					  REG_X86_R8,  REG_X86_R9,  REG_X86_R10, REG_X86_R11,
					  REG_X86_R12, REG_X86_R13, REG_X86_R14, REG_X86_R15 };
	const uint8_t mod = v->modrm[0] >> 6, sib = v->modrm[1];
	int32_t disp;

	m->index = (int8_t)(INSN_VECTOR + v->upper + v->index + (sib >> 3 & 7));
	m->scale = (uint8_t)(1 << (sib >> 6));
	m->base = mod == 0 && (sib & 7) == 5 ? -1 : general[v->base + (sib & 7)];
	if (mod == 1) {
		m->disp = (int8_t)v->modrm[2] * (v->evex ? m->bytes : 1);
	} else if (mod == 2 || m->base < 0) {
		memcpy(&disp, v->modrm + 2, sizeof(disp));
		m->disp = disp;
	}
}

/* The vectors of the indices and of the elements have the same number, and the larger of the two
 * fills a register. The last bit of the opcode says whether indices have 8 bytes instead of 4. */
static void read_gather(const struct vector_insn *v, struct insn *out)
{
	const uint64_t data = BIT(INSN_VECTOR + v->reg + (v->modrm[0] >> 3 & 7));
	const unsigned index = v->opcode & 1 ? 8 : 4;
	struct insn_mem *m = &out->mem;

	m->store = v->opcode >= 0xa0;
	m->load = !m->store;
	m->bytes = v->wide ? 8 : 4;
	m->elements = (uint8_t)(v->length / (index > m->bytes ? index : m->bytes));
	read_operand(v, m);
	out->reads = BIT(m->index) | (m->base >= 0 ? BIT(m->base) : 0) | (m->store ? data : 0);
	/* the mask becomes 0: in VEX instructions, a vector register */
	out->writes = (m->load ? data : 0) | (v->evex ? ((UINT64_C(1) << MASKS) - 1) << INSN_MASK
						      : ~UINT64_C(0) << INSN_VECTOR);
}

bool x86_gather(const uint8_t *code, size_t len, struct insn *out)
{
	const size_t n = x86_prefixes(code, len);
	struct vector_insn v;
	size_t size;

	if (!read_prefix(code + n, len - n, &v) || v.map != MAP_0F38 ||
	    !((v.opcode >= 0x90 && v.opcode <= 0x93) || (v.opcode >= 0xa0 && v.opcode <= 0xa3)))
		return false;
	size = x86_length(code, len);
	if (!size)
		return false;
	out->size = (uint8_t)size;
	out->access = ACCESS_VECTOR;
	/* a SIB byte is required. With a legacy prefix, the address is another one */
	if (n || v.modrm[0] >> 6 == 3 || (v.modrm[0] & 7) != 4)
		out->writes = ~UINT64_C(0);
	else
		read_gather(&v, out);
	return true;
}

/* Opcodes of the map 0F38 from 0xe0 on, and of 0F3A from 0xf0 on and 0x14 to 0x17, write general
 * registers; the others write the register in ModRM.reg or the one in ModRM.rm, or a mask. */
bool x86_writes_vectors(const uint8_t *code, size_t size, uint64_t *writes)
{
	const size_t n = x86_prefixes(code, size);
	struct vector_insn v;

	if (!read_prefix(code + n, size - n, &v) || !v.evex || v.modrm[0] >> 6 != 3)
		return false;
	if (v.map == MAP_0F38 ? v.opcode >= 0xe0
			      : v.opcode >= 0xf0 || (v.opcode >= 0x14 && v.opcode <= 0x17))
		return false;
	*writes = ((UINT64_C(1) << MASKS) - 1) << INSN_MASK |
		  BIT(INSN_VECTOR + v.reg + (v.modrm[0] >> 3 & 7)) |
		  BIT(INSN_VECTOR + v.base + (v.index ? 16 : 0) + (v.modrm[0] & 7));
	return true;
}
