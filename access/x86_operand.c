/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes the opcode maps of the Intel manual (volume 2, appendix A). An instruction of the maps
 * after 0f, VEX or EVEX that this file does not know is classified as OPERAND_PARTS. That is also
 * correct for an operand of at most 8 bytes, but slower. */
#include "x86_operand.h"

#include <string.h>

static bool is_prefix(uint8_t byte)
{
	switch (byte) {
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0x64 ... 0x67:
	case 0xf0:
	case 0xf2:
	case 0xf3:
		return true;
	default:
		return false;
	}
}

/* Is `op`, the byte after 0f, the opcode of a general-purpose instruction? The operands of such
 * instructions have at most 8 bytes. */
static bool is_general(uint8_t op)
{
	switch (op) {
	case 0x1f:          /* nop */
	case 0x40 ... 0x4f: /* cmov */
	case 0x80 ... 0x9f: /* jumps, set */
	case 0xa0 ... 0xa5: /* push, pop, cpuid, bt, shld */
	case 0xab:          /* bts */
	case 0xaf:          /* imul */
	case 0xb0 ... 0xbf: /* cmpxchg, bit scans, movzx, movsx */
		return true;
	default:
		return false;
	}
}

/* Is `op`, after a prefix f2 or f3 and 0f, an SSE instruction that accesses one element of 4 or 8
 * bytes? 0x5b is not: f3 0f 5b is cvttps2dq, which loads 16 bytes. */
static bool is_scalar(uint8_t op)
{
	return op == 0x10 || op == 0x11 || op == 0x2a || (op >= 0x50 && op <= 0x5f && op != 0x5b);
}

/* Is this a gather of AVX2 (VEX, map 0f38, opcodes 90 to 93)? Each of its elements is an access. */
static bool is_gather(const uint8_t *bytes, size_t n)
{
	return n > 3 && bytes[0] == 0xc4 && (bytes[1] & 0x1f) == 2 && (bytes[3] & 0xfc) == 0x90;
}

enum operand operand_of(const uint8_t *bytes, size_t n)
{
	bool repeated = false;
	size_t i = 0;

	for (; i < n && is_prefix(bytes[i]); i++)
		repeated |= bytes[i] == 0xf2 || bytes[i] == 0xf3;
	if (i < n && (bytes[i] & 0xf0) == 0x40)
		i++; /* skips a REX prefix */
	if (i == n)
		return OPERAND_WHOLE;
	if (bytes[i] == 0xe8 || (bytes[i] == 0xff && i + 1 < n && (bytes[i + 1] >> 3 & 7) == 2))
		return OPERAND_CALL;
	if (bytes[i] == 0xc2 || bytes[i] == 0xc3)
		return OPERAND_RETURN;
	if (is_gather(bytes + i, n - i))
		return OPERAND_WHOLE;
	if (bytes[i] == 0xc4 || bytes[i] == 0xc5 || bytes[i] == 0x62 || (bytes[i] & 0xf8) == 0xd8)
		return OPERAND_PARTS; /* VEX, EVEX, x87 */
	if (bytes[i] != 0x0f || i + 1 == n || is_general(bytes[i + 1]))
		return OPERAND_WHOLE;
	return repeated && is_scalar(bytes[i + 1]) ? OPERAND_WHOLE : OPERAND_PARTS;
}

uint64_t operand_call_target(const uint8_t *bytes, size_t n, uint64_t ip)
{
	int32_t distance;

	if (n != 1 + sizeof(distance) || bytes[0] != 0xe8)
		return 0;
	memcpy(&distance, bytes + 1, sizeof(distance));
	return ip + n + (uint64_t)(int64_t)distance;
}

/* An entry of the table is a jump whose target is in a word of memory. With CET the entry begins
 * with endbr64, and the jump may have the prefix bnd. */
bool operand_is_plt(const uint8_t *code)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };

	if (!memcmp(code, endbr64, sizeof(endbr64)))
		code += sizeof(endbr64);
	code += *code == 0xf2;
	return code[0] == 0xff && code[1] == 0x25;
}
