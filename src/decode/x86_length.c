/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the length of instructions that Capstone does not know. New instructions of x86-64 use VEX,
 * EVEX, three-byte opcodes, and some two-byte opcodes (is_extensible()). There, the length follows
 * from the prefixes, the opcode map, ModRM and, in map 0F, from whether the opcode has an immediate
 * (has_imm8()). Without the length of one instruction, the rest of its function could not be
 * decoded. */
#include "decode/x86.h"

enum { MAP_0F = 1, MAP_0F38 = 2, MAP_0F3A = 3, LONGEST = 15 };

/* Returns the total number of bytes of ModRM, the SIB byte and the displacement; 0 if ModRM or the
 * SIB byte is outside p[0..len). */
static size_t modrm_length(const uint8_t *p, size_t len)
{
	size_t n = 1;
	unsigned mod, rm;

	if (len < 1)
		return 0;
	mod = p[0] >> 6;
	rm = p[0] & 7;
	if (mod == 3)
		return 1;
	if (rm == 4) {
		if (len < 2)
			return 0;
		n = 2;
		/* from here on, rm is the base register in the SIB byte: in both places, 5 with mod
		 * 0 means a displacement of 4 bytes in place of a base */
		rm = p[1] & 7;
	}
	if (mod == 1)
		n += 1;
	else if (mod == 2 || rm == 5)
		n += 4;
	return n;
}

static bool has_imm8(unsigned map, uint8_t opcode)
{
	if (map == MAP_0F3A)
		return true;
	return map == MAP_0F && ((opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 ||
				 (opcode >= 0xc4 && opcode <= 0xc6));
}

/* Is this an opcode of map 0F that stands for several instructions: system instructions, hints
 * (prefetch, nop), or those of the shadow stack (rdssp)? The prefix and ModRM select the
 * instruction. None of these instructions has an immediate operand. */
static bool is_extensible(uint8_t opcode)
{
	return opcode == 0x01 || opcode == 0x0d || opcode == 0xae || opcode == 0xc7 ||
	       (opcode & 0xf8) == 0x18;
}

/* Returns the offset of the opcode in an encoding that x86_length() supports: the number of bytes
 * of the VEX or EVEX prefix, or of the escape bytes (0f, 0f 38, 0f 3a). Sets *map to the opcode
 * map. Returns 0 for other encodings. */
static size_t opcode_at(const uint8_t *p, size_t len, unsigned *map)
{
	*map = MAP_0F;
	if (len < 3)
		return 0;
	if (p[0] == 0xc5)
		return 2;
	if (p[0] == 0xc4) {
		*map = p[1] & 0x1f;
		return 3;
	}
	if (p[0] == 0x62) {
		*map = p[1] & 7;
		return 4;
	}
	if (p[0] == 0x0f && (p[1] == 0x38 || p[1] == 0x3a)) {
		*map = p[1] == 0x38 ? MAP_0F38 : MAP_0F3A;
		return 2;
	}
	return p[0] == 0x0f && is_extensible(p[1]) ? 1 : 0;
}

size_t x86_length(const uint8_t *code, size_t len, bool *vector)
{
	size_t at = 0, op, operands;
	unsigned map = 0;
	uint8_t opcode;

	*vector = false;
	while (at < len && (code[at] == 0x66 || code[at] == 0x67 || code[at] == 0xf2 ||
			    code[at] == 0xf3 || code[at] == 0x64 || code[at] == 0x65))
		at++;
	if (at < len && (code[at] & 0xf0) == 0x40) /* a REX prefix */
		at++;
	op = opcode_at(code + at, len - at, &map);
	if (!op || at + op >= len || map == 0 || map == 4 || map > 6)
		return 0;
	opcode = code[at + op];
	operands = modrm_length(code + at + op + 1, len - at - op - 1);
	if (!operands)
		return 0;
	*vector = code[at] != 0x0f && map == MAP_0F38 &&
		  ((opcode >= 0x90 && opcode <= 0x93) || (opcode >= 0xa0 && opcode <= 0xa3) ||
		   opcode == 0xc6 || opcode == 0xc7);
	at += op + 1 + operands + has_imm8(map, opcode);
	return at <= len && at <= LONGEST ? at : 0;
}
