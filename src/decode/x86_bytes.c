/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds prefixes, jumps and hints in the bytes of one x86-64 instruction, without a disassembler.
 */
#include "decode/x86_parts.h"

size_t x86_prefixes(const uint8_t *p, size_t len)
{
	size_t n = 0;

	while (n < len &&
	       (p[n] == 0x66 || p[n] == 0x67 || p[n] == 0xf0 || p[n] == 0xf2 || p[n] == 0xf3 ||
		(p[n] & 0xe7) == 0x26 || p[n] == 0x64 || p[n] == 0x65 || (p[n] & 0xf0) == 0x40))
		n++;
	return n;
}

static int64_t relative_target(const uint8_t *p, size_t size, size_t width)
{
	uint32_t v;

	if (width == 1)
		return (int64_t)size + (int8_t)p[size - 1];
	v = p[size - 4] | (uint32_t)p[size - 3] << 8 | (uint32_t)p[size - 2] << 16 |
	    (uint32_t)p[size - 1] << 24;
	return (int64_t)size + (int32_t)v;
}

/* Returns the flow of a jump through a register or through memory. If the memory is relative to
 * rip, it is taken to be in the global offset table, and the jump to be a tail call, which leaves
 * the function. Other indirect jumps may belong to a switch, with targets in the function. */
static enum insn_flow jump_indirect(uint8_t modrm)
{
	return (modrm & 0xc7) == 0x05 ? FLOW_AWAY : FLOW_INDIRECT;
}

enum insn_flow x86_flow(const uint8_t *p, size_t size, int64_t *target)
{
	size_t n = x86_prefixes(p, size);
	size_t left = size - n; /* number of bytes of the opcode and of what follows it */
	const uint8_t *op = p + n;

	if (left >= 2 && ((op[0] & 0xf0) == 0x70 || op[0] == 0xeb || (op[0] & 0xfc) == 0xe0)) {
		*target = relative_target(p, size, 1);
		return op[0] == 0xeb ? FLOW_JUMP : FLOW_BRANCH;
	}
	if ((left >= 5 && op[0] == 0xe9) ||
	    (left >= 6 && op[0] == 0x0f && (op[1] & 0xf0) == 0x80) ||
	    /* xbegin jumps to its abort handler */
	    (left >= 6 && op[0] == 0xc7 && op[1] == 0xf8)) {
		*target = relative_target(p, size, 4);
		return op[0] == 0xe9 ? FLOW_JUMP : FLOW_BRANCH;
	}
	if (left < 1)
		return FLOW_ON;
	if (op[0] == 0xff && left >= 2) {
		unsigned ext = op[1] >> 3 & 7;

		if (ext == 4 || ext == 5)
			return jump_indirect(op[1]);
		return ext == 2 || ext == 3 ? FLOW_CALL : FLOW_ON;
	}
	if (op[0] == 0xe8) {
		*target = left >= 5 ? relative_target(p, size, 4) : 0;
		return FLOW_CALL;
	}
	if (op[0] == 0xc2 || op[0] == 0xc3 || (op[0] >= 0xca && op[0] <= 0xcf) || op[0] == 0xf4 ||
	    (op[0] == 0x0f && left >= 2 && (op[1] == 0x0b || op[1] == 0xb9 || op[1] == 0xff)))
		return FLOW_AWAY; /* a return, a trap, or undefined */
	return FLOW_ON;
}

bool x86_is_hint(const uint8_t *p, size_t size)
{
	size_t n = x86_prefixes(p, size);

	return size - n >= 2 && p[n] == 0x0f && (p[n + 1] == 0x0d || (p[n + 1] & 0xf8) == 0x18);
}

uint8_t x86_segment(const uint8_t *p, size_t size)
{
	size_t n = x86_prefixes(p, size);

	while (n-- > 0)
		if (p[n] == X86_FS || p[n] == X86_GS)
			return p[n];
	return 0;
}
