/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the length of an x86-64 instruction from its prefixes, its opcode and ModRM (Intel's
 * manual, volume 2, appendix A). That is enough to go from one instruction of a function to the
 * next. It takes a few ns for each instruction, while a disassembler takes several hundred. The
 * length is also right for new instructions in the known opcode maps. */
#include <string.h>

#include "decode/x86.h"

enum { MAP_0F = 1, MAP_0F38 = 2, MAP_0F3A = 3, MAP_5 = 5, MAP_6 = 6, LONGEST = 15 };
enum { XOP_IMM8 = 8, XOP = 9, XOP_IMM32 = 10 };
enum { OPSIZE = 0x66, ADDRSIZE = 0x67, REX_W = 8 };

/*
 * What follows each opcode, as one letter:
 *
 *   .        nothing
 *   m        ModRM, and the SIB byte and the displacement that it demands
 *   R        ModRM that always names registers, so nothing follows it
 *   b w e r  an immediate of 1, 2, 3 or 4 bytes
 *   z        an immediate of 2 or 4 bytes, by the operand size
 *   v        an immediate of 2, 4 or 8 bytes, by the operand size
 *   o        an address of 4 or 8 bytes, by the address size
 *   M Z      first what m stands for, then an immediate as for b or z
 *   g G      like M and Z, but only the instruction test has the immediate
 *   x        the length is unknown: no instruction in 64-bit mode, or a prefix or an escape,
 *            which are read before the opcode is looked up here
 */
static const char one_byte[16][17] = {
	"mmmmbzxxmmmmbzxx", "mmmmbzxxmmmmbzxx", "mmmmbzxxmmmmbzxx", "mmmmbzxxmmmmbzxx",
	"xxxxxxxxxxxxxxxx", "................", "xxxmxxxxzZbM....", "bbbbbbbbbbbbbbbb",
	"MZxMmmmmmmmmmmmm", "..........x.....", "oooo....bz......", "bbbbbbbbvvvvvvvv",
	"MMw.xxMZe.w..bx.", "mmmmxxx.mmmmmmmm", "bbbbbbbbrrxb....", "x.xx..gG......mm",
};
static const char two_bytes[16][17] = {
	"mmmmx.....x.xm.M", "mmmmmmmmmmmmmmmm", "RRRRxxxxmmmmmmmm", "......x.xxxxxxxx",
	"mmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmm", "MMMMmmm.mmmmmmmm",
	"rrrrrrrrrrrrrrrr", "mmmmmmmmmmmmmmmm", "...mMmmm...mMmmm", "mmmmmmmmmmMmmmmm",
	"mmMmMMMm........", "mmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmm",
};

/* The bytes of an instruction up to its opcode. */
struct opening {
	size_t at;    /* offset of the opcode */
	char shape;   /* the letter of the opcode in the tables above */
	unsigned map; /* number of the opcode map; 0 for opcodes of one byte */
	bool vector;  /* whether the instruction has a VEX, EVEX or XOP prefix */
	bool opsize, addrsize, wide;
};

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

/* Skips the prefixes, and stores what they say in *o. A REX prefix counts only directly before the
 * opcode. */
static void pass_prefixes(const uint8_t *p, size_t len, struct opening *o)
{
	uint8_t rex = 0;

	for (; o->at < len; o->at++) {
		uint8_t b = p[o->at];

		if ((b & 0xf0) == 0x40) {
			rex = b;
			continue;
		}
		if (b != 0xf0 && b != 0xf2 && b != 0xf3 && (b & 0xe7) != 0x26 && (b & 0xfc) != 0x64)
			break;
		rex = 0;
		o->opsize |= b == OPSIZE;
		o->addrsize |= b == ADDRSIZE;
	}
	o->wide = rex & REX_W;
}

static char shape_of(unsigned map, uint8_t opcode)
{
	switch (map) {
	case MAP_0F:
		return two_bytes[opcode >> 4][opcode & 15];
	case MAP_0F3A:
	case XOP_IMM8:
		return 'M';
	case MAP_0F38:
	case MAP_5:
	case MAP_6:
	case XOP:
		return 'm';
	case XOP_IMM32:
		return 'Z';
	default:
		return 'x';
	}
}

/* Finds the opcode of an instruction with a VEX, EVEX or XOP prefix. Returns false if there is no
 * such prefix. */
static bool find_vector_opcode(const uint8_t *p, size_t len, struct opening *o)
{
	const uint8_t *at = p + o->at;
	size_t prefix = 2;

	if (at[0] != 0xc4 && at[0] != 0xc5 && at[0] != 0x62 &&
	    (at[0] != 0x8f || len - o->at < 2 || !(at[1] & 0x38)))
		return false;
	o->vector = true;
	o->map = MAP_0F;
	if (at[0] != 0xc5) {
		prefix = at[0] == 0x62 ? 4 : 3;
		o->map = len - o->at < 2 ? 0 : at[1] & (at[0] == 0x62 ? 7 : 0x1f);
	}
	o->at += prefix;
	/* in a vector instruction, these do not change the size of the immediate */
	o->opsize = o->wide = false;
	if (o->at < len && (at[0] == 0x8f) == (o->map >= XOP_IMM8))
		o->shape = shape_of(o->map, p[o->at]);
	return true;
}

static void find_opcode(const uint8_t *p, size_t len, struct opening *o)
{
	pass_prefixes(p, len, o);
	o->shape = 'x';
	if (o->at >= len || find_vector_opcode(p, len, o))
		return;
	if (p[o->at] != 0x0f) {
		o->shape = one_byte[p[o->at] >> 4][p[o->at] & 15];
		return;
	}
	o->at++;
	o->map = MAP_0F;
	if (o->at < len && (p[o->at] == 0x38 || p[o->at] == 0x3a))
		o->map = p[o->at++] == 0x38 ? MAP_0F38 : MAP_0F3A;
	if (o->at < len)
		o->shape = shape_of(o->map, p[o->at]);
}

/* Returns the number of bytes of the immediate operand; `modrm` is the byte after the opcode. */
static size_t immediate(const struct opening *o, uint8_t modrm)
{
	size_t word = o->opsize && !o->wide ? 2 : 4;

	switch (o->shape) {
	case 'b':
	case 'M':
		return 1;
	case 'w':
		return 2;
	case 'e':
		return 3;
	case 'r':
		return 4;
	case 'z':
	case 'Z':
		return word;
	case 'v':
		return o->wide ? 8 : word;
	case 'o':
		return o->addrsize ? 4 : 8;
	case 'g': /* group 3: test has an immediate, the others have none */
		return modrm & 0x30 ? 0 : 1;
	case 'G':
		return modrm & 0x30 ? 0 : word;
	default:
		return 0;
	}
}

/* A switch and not strchr(), because this runs for each instruction of each sampled function. */
static bool has_modrm(char shape)
{
	switch (shape) {
	case 'm':
	case 'M':
	case 'Z':
	case 'g':
	case 'G':
		return true;
	default:
		return false;
	}
}

size_t x86_length(const uint8_t *code, size_t len)
{
	struct opening o = { 0 };
	size_t operands = 0, at;

	if (len > LONGEST)
		len = LONGEST;
	find_opcode(code, len, &o);
	at = o.at + 1;
	if (o.shape == 'x' || at > len)
		return 0;
	if (o.shape == 'R')
		operands = at < len;
	else if (has_modrm(o.shape))
		operands = modrm_length(code + at, len - at);
	if (operands == 0 && (o.shape == 'R' || has_modrm(o.shape)))
		return 0;
	at += operands + immediate(&o, operands ? code[at] : 0);
	return at <= len ? at : 0;
}
