/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes gathers and scatters, and AVX-512 instructions that Capstone does not know. Capstone 4
 * does not know vpgatherqq of 32 bytes or vpcmpub, and reports a general register as the index of
 * vscatterqpd. Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2,
 * sections 2.3.5 (VEX prefix), 2.3.12 (VSIB memory addressing), 2.7.1 (EVEX prefix) and 2.7.5
 * (disp8*N). */
#include "decode/perf_regs.h"
#include "decode/x86_parts.h"

#include <string.h>

#define ALL_MASKS (UINT64_C(0xff) << INSN_MASK)

enum { MAP_0F = 1, MAP_0F38, MAP_0F3A };

static const int8_t general[] = { REG_X86_AX,  REG_X86_CX,  REG_X86_DX,  REG_X86_BX,
				  REG_X86_SP,  REG_X86_BP,  REG_X86_SI,  REG_X86_DI,
				  REG_X86_R8,  REG_X86_R9,  REG_X86_R10, REG_X86_R11,
				  REG_X86_R12, REG_X86_R13, REG_X86_R14, REG_X86_R15 };

/* An instruction with a VEX or EVEX prefix. */
struct vector_insn {
	const uint8_t *modrm;
	size_t size; /* bytes from the prefix on */
	unsigned map;
	uint8_t opcode;
	bool evex;
	bool wide;       /* bit W of the prefix */
	bool broadcast;  /* bit b: one element of the operand in memory is used for all */
	unsigned length; /* size of a vector register, bytes */
	/* the register whose bits say which elements it accesses: EVEX: k1 to k7, 0 means all
	 * elements; gathers with VEX: a vector register */
	unsigned mask;
	/* the upper bits of register numbers, already in their places: of ModRM.reg, of the base or
	 * of ModRM.rm, and of the index; `upper` is bit 4 of a vector index */
	unsigned reg, base, index, upper;
};

/* Reads the prefix of the instruction at p[0..size), after its legacy prefixes. Bits that extend
 * registers are stored inverted. Returns false if it is no such instruction. */
static bool read_prefix(const uint8_t *p, size_t size, struct vector_insn *v)
{
	const bool evex = size >= 6 && p[0] == 0x62, three = size >= 5 && p[0] == 0xc4;
	const uint8_t *last = p + (evex ? 3 : three ? 2 : 1);

	if (!evex && !three && !(size >= 4 && p[0] == 0xc5))
		return false;
	if (evex && (p[1] & 8 || !(p[2] & 4))) /* APX */
		return false;
	*v = (struct vector_insn){ .modrm = last + 2,
				   .size = size,
				   .map = MAP_0F,
				   .opcode = last[1],
				   .evex = evex,
				   .length = 16u << (evex ? *last >> 5 & 3 : *last >> 2 & 1),
				   .reg = p[1] & 0x80 ? 0 : 8 };
	if (!evex && !three)
		return true;
	v->map = p[1] & (evex ? 7 : 0x1f);
	v->wide = p[2] >> 7;
	v->index = p[1] & 0x40 ? 0 : 8;
	v->base = p[1] & 0x20 ? 0 : 8;
	v->mask = evex ? *last & 7 : ~*last >> 3 & 15;
	if (evex) {
		v->broadcast = *last & 0x10;
		v->reg += p[1] & 0x10 ? 0 : 16;
		v->upper = *last & 8 ? 0 : 16;
	}
	return true;
}

static unsigned reg_of(const struct vector_insn *v)
{
	return v->reg + (v->modrm[0] >> 3 & 7);
}

static bool is_gather(const struct vector_insn *v)
{
	return v->map == MAP_0F38 && ((v->opcode >= 0x90 && v->opcode <= 0x93) ||
				      (v->opcode >= 0xa0 && v->opcode <= 0xa3));
}

/* Does the instruction only prefetch what a gather or scatter would access? */
static bool is_prefetch(const struct vector_insn *v)
{
	return v->map == MAP_0F38 && (v->opcode == 0xc6 || v->opcode == 0xc7);
}

static bool has_register(const struct vector_insn *v)
{
	return v->modrm[0] >> 6 == 3;
}

/* Sets the index of an operand with a SIB byte. */
static void read_index(const struct vector_insn *v, bool vector, struct insn_mem *m)
{
	const unsigned index = v->index + (v->modrm[1] >> 3 & 7);

	m->scale = (uint8_t)(1 << (v->modrm[1] >> 6));
	if (vector)
		m->index = (int8_t)(INSN_VECTOR + v->upper + index);
	else
		m->index = index == 4 ? -1 : general[index];
}

/* Sets the address of the operand in memory from ModRM, the SIB byte and the displacement. A
 * displacement of one byte counts `unit` bytes if the prefix is EVEX. */
static void read_address(const struct vector_insn *v, bool vector, unsigned unit,
			 struct insn_mem *m)
{
	const uint8_t mod = v->modrm[0] >> 6, rm = v->modrm[0] & 7;
	const bool sib = rm == 4;
	const uint8_t base = sib ? v->modrm[1] & 7 : rm;
	const uint8_t *at = v->modrm + (sib ? 2 : 1);
	int32_t disp = 0;

	m->scale = 1;
	m->index = -1;
	if (sib)
		read_index(v, vector, m);
	m->base = mod == 0 && base == 5 ? -1 : general[v->base + base];
	m->ip_relative = m->base < 0 && !sib;
	if (mod == 2 || m->base < 0)
		memcpy(&disp, at, sizeof(disp));
	m->disp = mod == 1 ? (int8_t)*at * (int64_t)(v->evex ? unit : 1) : disp;
	m->disp += m->ip_relative ? (int64_t)v->size : 0;
}

/* The vectors of the indices and of the elements have the same number, and the larger of the two
 * fills a register. The last bit of the opcode says whether indices have 8 bytes instead of 4. */
static void read_gather(const struct vector_insn *v, struct insn *out)
{
	const uint64_t data = BIT(INSN_VECTOR + reg_of(v));
	const unsigned index = v->opcode & 1 ? 8 : 4;
	struct insn_mem *m = &out->mem;

	m->store = v->opcode >= 0xa0;
	m->load = !m->store;
	m->bytes = v->wide ? 8 : 4;
	m->elements = (uint8_t)(v->length / (index > m->bytes ? index : m->bytes));
	read_address(v, true, m->bytes, m);
	out->reads = BIT(m->index) | (m->base >= 0 ? BIT(m->base) : 0) | (m->store ? data : 0);
	/* the mask becomes 0 */
	out->writes = (m->load ? data : 0) | BIT((v->evex ? INSN_MASK : INSN_VECTOR) + v->mask);
}

bool x86_gather(const uint8_t *code, size_t len, struct insn *out)
{
	const size_t n = x86_prefixes(code, len);
	struct vector_insn v;
	size_t size;

	if (!read_prefix(code + n, len - n, &v) || (!is_gather(&v) && !is_prefetch(&v)))
		return false;
	size = x86_length(code, len);
	if (!size)
		return false;
	out->size = (uint8_t)size;
	out->writes = ALL_MASKS;
	if (is_prefetch(&v))
		return true;
	out->access = ACCESS_VECTOR;
	/* a SIB byte is required. With a legacy prefix, the address is another one */
	if (n || (v.modrm[0] & 7) != 4 || has_register(&v))
		out->writes = ~UINT64_C(0);
	else
		read_gather(&v, out);
	return true;
}

/* Handles operations on masks, such as kmovq and kortestq, that access no memory. */
static bool read_masks(const struct vector_insn *v, struct insn *out)
{
	if (!has_register(v))
		return false;
	if (v->opcode == 0x93) /* to a general register */
		out->writes = BIT(general[reg_of(v)]);
	else if (v->opcode == 0x98 || v->opcode == 0x99) /* kortest, ktest */
		out->writes = BIT(REG_X86_FLAGS);
	else if (v->opcode == 0x92 || (v->opcode >= 0x41 && v->opcode <= 0x4b))
		out->writes = ALL_MASKS;
	else
		return false;
	return true;
}

/* Does the operand in memory have all bytes of a vector, or one element for all (EVEX tuple types
 * Full and Full Mem)? vpcmp and vpternlog. */
static bool has_full_operand(const struct vector_insn *v)
{
	return v->map == MAP_0F3A && (v->opcode == 0x1e || v->opcode == 0x1f || v->opcode == 0x25 ||
				      v->opcode == 0x3e || v->opcode == 0x3f);
}

bool x86_vector_unknown(const uint8_t *code, size_t size, struct insn *out)
{
	struct vector_insn v;

	if (!read_prefix(code, size, &v))
		return false;
	if (!v.evex)
		return v.map == MAP_0F && read_masks(&v, out);
	/* other opcodes write general registers */
	if (v.map == MAP_0F38 ? v.opcode >= 0xe0
			      : v.map != MAP_0F3A || v.opcode >= 0xf0 ||
					(v.opcode >= 0x14 && v.opcode <= 0x17))
		return false;
	/* they write the register in ModRM.reg or the one in ModRM.rm, or a mask */
	out->writes = ALL_MASKS | BIT(INSN_VECTOR + reg_of(&v));
	if (has_register(&v)) {
		out->writes |= BIT(INSN_VECTOR + v.base + (v.index ? 16 : 0) + (v.modrm[0] & 7));
		return true;
	}
	if (!has_full_operand(&v))
		return false;
	out->access = ACCESS_ADDRESS;
	out->mem.load = true;
	out->mem.bytes = (uint8_t)(v.broadcast ? (v.wide ? 8 : 4) : v.length);
	read_address(&v, false, out->mem.bytes, &out->mem);
	out->mem.bytes = v.mask ? 0 : out->mem.bytes;
	out->reads = (out->mem.base >= 0 ? BIT(out->mem.base) : 0) |
		     (out->mem.index >= 0 ? BIT(out->mem.index) : 0);
	return true;
}
