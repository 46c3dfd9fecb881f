/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes one AArch64 instruction by its bit fields. Capstone is not used, because version 4 does
 * not know the atomic instructions of ARMv8.1 and later (ldadd, cas, swp, ldapr), on which programs
 * with contention spend much time. This file does not know all instructions either. That does no
 * harm: every instruction has four bytes, so the next one can always be found. */
#include "decode/insn.h"
#include "decode/perf_regs.h"

enum { SIZE = 4, ZERO = 31, REGISTERS = 31 };

static uint32_t field(uint32_t w, unsigned high, unsigned low)
{
	return w >> low & ((1u << (high - low + 1)) - 1);
}

static int64_t signed_field(uint32_t w, unsigned high, unsigned low)
{
	unsigned bits = high - low + 1;
	int64_t v = field(w, high, low);

	return v >= INT64_C(1) << (bits - 1) ? v - (INT64_C(1) << bits) : v;
}

/* Returns the bit of general register `reg` in a register mask; 0 for number 31, the zero register,
 * whose value never changes. */
static uint64_t gp_bit(unsigned reg)
{
	return reg < REGISTERS ? UINT64_C(1) << reg : 0;
}

static unsigned rd(uint32_t w)
{
	return field(w, 4, 0);
}

static unsigned rn(uint32_t w)
{
	return field(w, 9, 5);
}

static unsigned rm(uint32_t w)
{
	return field(w, 20, 16);
}

static unsigned rt2(uint32_t w)
{
	return field(w, 14, 10);
}

static bool is_simd(uint32_t w)
{
	return field(w, 26, 26);
}

/* Describes in *out an access of `bytes` bytes at the base register of instruction w plus disp. As
 * a base, number 31 is sp and not the zero register. */
static void at_base(struct insn *out, uint32_t w, int64_t disp, unsigned bytes)
{
	out->access = ACCESS_ADDRESS;
	out->mem.base = rn(w); /* sp needs no conversion, because REG_ARM64_SP is 31, too */
	out->mem.index = -1;
	out->mem.scale = 1;
	out->mem.disp = disp;
	out->mem.bytes = bytes;
	out->reads |= UINT64_C(1) << rn(w);
}

static void set_direction(struct insn *out, bool load, bool store, bool lock)
{
	out->mem.load = load;
	out->mem.store = store;
	out->mem.lock = lock;
}

/* Describes in *out that the instruction also adds `add` to its base register (pre-index and
 * post-index). */
static void write_back(struct insn *out, uint32_t w, int64_t add)
{
	uint64_t base = UINT64_C(1) << rn(w);

	/* if the instruction also loads a value into its base register, the architecture does not
	 * define which of the two values the register gets */
	if (!(out->writes & base))
		out->move = (struct insn_move){ .to = rn(w), .from = rn(w), .add = add };
	out->writes |= base;
}

/* Describes in *out an access whose address cannot be computed. Assumes that the instruction
 * overwrites all registers, because such instructions belong to many extensions with different
 * effects. */
static void set_opaque(struct insn *out)
{
	out->access = ACCESS_OPAQUE;
	out->writes = ~UINT64_C(0);
}

/* Treats all instructions of the matrix extension (SME) alike: each may access memory, at an
 * unknown address. */
static void decode_matrix(struct insn *out)
{
	set_opaque(out);
	out->conditional = true;
}

/* Decodes ld1 to ld4 and st1 to st4, for entire vector registers or one element of each. */
static void simd_structure(uint32_t w, struct insn *out)
{
	static const uint8_t registers[16] = {
		[0] = 4, [2] = 4, [4] = 3, [6] = 3, [7] = 1, [8] = 2, [10] = 2
	};
	unsigned opcode = field(w, 15, 13);
	unsigned bytes;

	if (!field(w, 24, 24)) {
		bytes = registers[field(w, 15, 12)] * (field(w, 30, 30) ? 16 : 8);
	} else {
		unsigned scale = opcode >> 1;

		if (scale == 3)
			scale = field(w, 11, 10);
		else if (scale == 2 && field(w, 10, 10))
			scale = 3;
		bytes = ((opcode & 1) * 2 + field(w, 21, 21) + 1) << scale;
	}
	at_base(out, w, 0, bytes);
	set_direction(out, field(w, 22, 22), !field(w, 22, 22), false);
	if (!field(w, 23, 23))
		return;
	if (rm(w) == ZERO)
		write_back(out, w, bytes);
	else
		out->writes |= UINT64_C(1) << rn(w);
}

/* Decodes exclusive accesses, accesses with acquire or release, and compare-and-swap. */
static void decode_exclusive(uint32_t w, struct insn *out)
{
	bool ordered = field(w, 23, 23), load = field(w, 22, 22), pair = field(w, 21, 21);
	unsigned size = field(w, 31, 30), bytes = 1u << size;

	if (pair && !ordered) /* stxp or ldxp; casp for the two smaller sizes */
		bytes = size >= 2 ? 2u << size : size ? 16 : 8;
	at_base(out, w, 0, bytes);
	if (pair && (ordered || size < 2)) { /* cas or casp: register Rs receives the old value */
		set_direction(out, true, true, true);
		out->writes |= gp_bit(rm(w));
		if (!ordered)
			out->writes |= gp_bit(rm(w) + 1);
		return;
	}
	set_direction(out, load, !load, !ordered);
	if (load)
		out->writes |= gp_bit(rd(w)) | (pair ? gp_bit(rt2(w)) : 0);
	else if (!ordered)
		out->writes |= gp_bit(rm(w)); /* stxr and similar instructions write their status to
					       * Rs */
}

static void decode_literal(uint32_t w, struct insn *out)
{
	unsigned opc = field(w, 31, 30);

	if (opc == 3)
		return; /* a prefetch */
	at_base(out, w, signed_field(w, 23, 5) * SIZE, is_simd(w) ? 4u << opc : opc == 1 ? 8 : 4);
	out->reads = 0;
	out->mem.base = -1;
	out->mem.ip_relative = true;
	set_direction(out, true, false, false);
	if (!is_simd(w))
		out->writes |= gp_bit(rd(w));
}

static void decode_pair(uint32_t w, struct insn *out)
{
	unsigned opc = field(w, 31, 30), mode = field(w, 24, 23);
	bool load = field(w, 22, 22);
	unsigned bytes = is_simd(w) ? 4u << opc : opc == 2 ? 8 : 4;
	int64_t disp;

	/* the displacement of stgp counts in units of 16 bytes, the granules of memory tags */
	if (opc == 3 || (opc == 1 && !is_simd(w) && !load)) {
		set_opaque(out);
		return;
	}
	disp = signed_field(w, 21, 15) * bytes;
	at_base(out, w, mode == 1 ? 0 : disp, 2 * bytes);
	set_direction(out, load, !load, false);
	if (load && !is_simd(w))
		out->writes |= gp_bit(rd(w)) | gp_bit(rt2(w));
	if (mode == 1 || mode == 3)
		write_back(out, w, disp);
}

/* Decodes ldadd and its relatives, swp and ldapr. */
static void decode_atomic(uint32_t w, struct insn *out)
{
	unsigned o3_opc = field(w, 15, 12);
	bool ldapr = o3_opc == 12;

	if (is_simd(w) || (o3_opc > 8 && !ldapr)) {
		set_opaque(out); /* ld64b, st64b and similar instructions access 64 bytes */
		return;
	}
	at_base(out, w, 0, 1u << field(w, 31, 30));
	set_direction(out, true, !ldapr, !ldapr);
	out->writes |= gp_bit(rd(w));
}

static void register_offset(uint32_t w, unsigned shift, struct insn *out)
{
	unsigned option = field(w, 15, 13);

	out->mem.index = rm(w) == ZERO ? -1 : (int)rm(w);
	out->mem.scale = field(w, 12, 12) ? 1u << shift : 1;
	out->mem.extend = option == 2 ? DEC_UXTW : option == 6 ? DEC_SXTW : DEC_WHOLE;
	out->reads |= gp_bit(rm(w));
}

/* Decodes loads and stores of one register, with an immediate or a register as offset. */
static void decode_single(uint32_t w, struct insn *out)
{
	unsigned opc = field(w, 23, 22), size = field(w, 31, 30), mode = field(w, 11, 10);
	unsigned shift = is_simd(w) && opc >= 2 ? 4 : size;
	bool load = is_simd(w) ? opc & 1 : opc != 0;
	bool scaled = field(w, 24, 24), by_register = !scaled && field(w, 21, 21);
	int64_t disp = scaled ? (int64_t)field(w, 21, 10) << shift : signed_field(w, 20, 12);

	if (by_register && mode == 0) {
		decode_atomic(w, out);
		return;
	}
	/* the base register of ldraa contains a signed pointer, not an address */
	if (by_register && mode != 2) {
		set_opaque(out);
		return;
	}
	if (!is_simd(w) && size == 3 && opc == 2)
		return; /* a prefetch */
	at_base(out, w, by_register || (!scaled && mode == 1) ? 0 : disp, 1u << shift);
	if (by_register)
		register_offset(w, shift, out);
	set_direction(out, load, !load, false);
	if (load && !is_simd(w))
		out->writes |= gp_bit(rd(w));
	else if (!is_simd(w))
		out->reads |= gp_bit(rd(w));
	if (!scaled && !by_register && (mode == 1 || mode == 3))
		write_back(out, w, disp);
}

/* Decodes ldapur and stlur. The other instructions of this encoding (memory tags, memory copies)
 * have no address of the form base plus displacement. */
static void unscaled_ordered(uint32_t w, struct insn *out)
{
	unsigned opc = field(w, 23, 22);

	if (field(w, 21, 21) || field(w, 11, 10)) {
		set_opaque(out);
		out->conditional = true; /* because a memory copy of zero bytes accesses nothing */
		return;
	}
	at_base(out, w, signed_field(w, 20, 12), 1u << field(w, 31, 30));
	set_direction(out, opc != 0, opc == 0, false);
	if (opc)
		out->writes |= gp_bit(rd(w));
}

static void load_store(uint32_t w, struct insn *out)
{
	if ((w & 0xbe000000) == 0x0c000000)
		simd_structure(w, out);
	else if ((w & 0x3f000000) == 0x08000000)
		decode_exclusive(w, out);
	else if ((w & 0x3b000000) == 0x18000000)
		decode_literal(w, out);
	else if ((w & 0x3f000000) == 0x19000000)
		unscaled_ordered(w, out);
	else if ((w & 0x3a000000) == 0x28000000)
		decode_pair(w, out);
	else if ((w & 0x3a000000) == 0x38000000)
		decode_single(w, out);
	else
		set_opaque(out);
}

/* Decodes add and sub of an immediate, which change a register by a known amount. For the other
 * instructions of this group, only the register Rd that they write matters. */
static void decode_immediate(uint32_t w, struct insn *out)
{
	bool flags = field(w, 29, 29), add_sub = field(w, 28, 23) == 0x22;
	bool to_sp = (add_sub && !flags) || (field(w, 28, 23) == 0x24 && field(w, 30, 29) != 3);
	int64_t add = (int64_t)field(w, 21, 10) << (field(w, 22, 22) ? 12 : 0);

	out->writes = to_sp ? UINT64_C(1) << rd(w) : gp_bit(rd(w));
	if (!add_sub)
		return;
	out->reads = UINT64_C(1) << rn(w);
	if (field(w, 31, 31) && (rd(w) != ZERO || !flags))
		out->move = (struct insn_move){ .to = rd(w),
						.from = rn(w),
						.add = field(w, 30, 30) ? -add : add };
}

static void by_registers(uint32_t w, struct insn *out)
{
	out->writes = gp_bit(rd(w));
	out->reads = gp_bit(rn(w)) | gp_bit(rm(w));
	if ((w & 0xffe0ffe0) == 0xaa0003e0 && rd(w) != ZERO && rm(w) != ZERO)
		out->move = (struct insn_move){ .to = rd(w), .from = rm(w) };
}

/* Decodes floating-point and vector instructions. Only those that write a general register
 * (conversions, moves) matter. */
static void simd_data(uint32_t w, struct insn *out)
{
	if ((w & 0x7f200000) == 0x1e000000 || (w & 0x7f20fc00) == 0x1e200000 ||
	    (w & 0x9fe08400) == 0x0e000400)
		out->writes = gp_bit(rd(w));
}

static bool is_system_call(uint32_t w)
{
	return (w & 0xffe0001f) == 0xd4000001;
}

static void decode_branch(uint32_t w, struct insn *out, int64_t *target)
{
	unsigned opc = field(w, 24, 21);

	*target = 0;
	if ((w & 0x7c000000) == 0x14000000) {
		*target = signed_field(w, 25, 0) * SIZE;
		out->flow = field(w, 31, 31) ? FLOW_CALL : FLOW_JUMP;
	} else if ((w & 0xfe000000) == 0x54000000 || (w & 0x7e000000) == 0x34000000) {
		*target = signed_field(w, 23, 5) * SIZE;
		out->flow = FLOW_BRANCH;
		out->reads = (w & 0xfe000000) == 0x54000000 ? 0 : gp_bit(rd(w));
	} else if ((w & 0x7e000000) == 0x36000000) {
		*target = signed_field(w, 18, 5) * SIZE;
		out->flow = FLOW_BRANCH;
		out->reads = gp_bit(rd(w));
	} else if ((w & 0xfe000000) == 0xd6000000) {
		out->flow = (opc & 7) == 0 ? FLOW_INDIRECT : (opc & 7) == 1 ? FLOW_CALL : FLOW_AWAY;
		out->reads = gp_bit(rn(w));
	} else if ((w & 0xff000000) == 0xd4000000) {
		out->flow = is_system_call(w) ? FLOW_ON : FLOW_AWAY;
		out->writes = gp_bit(0); /* a system call writes its result to x0 */
	} else if ((w & 0xfffff01f) == 0xd503201f) {
		/* these hints include pointer authentication, where each instruction writes one of
		 * three registers */
		out->writes = gp_bit(16) | gp_bit(17) | gp_bit(30);
	} else if ((w & 0xffffffe0) == 0xd50b7420) {
		/* dc zva zeroes a block of memory. Its size depends on the CPU, so it is unknown
		 * here */
		at_base(out, rd(w) << 5, 0, 0);
		set_direction(out, false, true, false);
		if (rd(w) == ZERO)
			out->access = ACCESS_NONE;
	} else {
		out->writes = gp_bit(rd(w)); /* mrs writes Rd */
	}
}

/* Handles instructions on scalable vectors (SVE). Their addresses depend on the length of the
 * vector registers, which a sample does not contain, so no address is computed. */
static void decode_scalable(uint32_t w, struct insn *out)
{
	out->writes = gp_bit(rd(w));
	if (field(w, 31, 31))
		out->access = ACCESS_VECTOR;
}

/* Sets out->sync for yield and wfe; dmb, dsb and isb; svc; exclusive accesses and the atomics of
 * ARMv8.1. */
static void find_sync(uint32_t w, struct insn *out)
{
	if (w == 0xd503203f || w == 0xd503205f)
		out->sync = SYNC_PAUSE;
	else if ((w & 0xfffff000) == 0xd5033000)
		out->sync = SYNC_FENCE;
	else if (is_system_call(w))
		out->sync = SYNC_SYSTEM;
	else if (out->access == ACCESS_ADDRESS && out->mem.lock)
		out->sync = SYNC_ATOMIC;
}

static bool decode_word(const uint8_t *p, size_t len, struct insn *out, int64_t *target)
{
	uint32_t w, group;

	*out = (struct insn){ .size = SIZE, .move = { .to = -1 }, .copies = -1 };
	*target = 0;
	if (len < SIZE)
		return false;
	w = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
	group = field(w, 28, 25);
	if ((group & 5) == 4)
		load_store(w, out);
	else if ((group & 14) == 8)
		decode_immediate(w, out);
	else if ((group & 14) == 10)
		decode_branch(w, out, target);
	else if ((group & 7) == 5)
		by_registers(w, out);
	else if ((group & 7) == 7)
		simd_data(w, out);
	else if (group == 2)
		decode_scalable(w, out);
	else if (group == 0 && field(w, 31, 31))
		decode_matrix(out);
	else
		return false;
	find_sync(w, out);
	return true;
}

void arm64_step(const uint8_t *code, size_t len, struct insn_step *out)
{
	struct insn i;

	*out = (struct insn_step){ .size = SIZE };
	out->known = decode_word(code, len, &i, &out->target);
	out->flow = i.flow;
}

bool arm64_decode(const uint8_t *code, size_t len, struct insn *out)
{
	int64_t target;

	return decode_word(code, len, out, &target);
}
