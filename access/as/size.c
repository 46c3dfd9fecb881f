/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the number of bytes that an instruction accesses: from its registers, or from its mnemonic
 * if that determines a different size. tests/oracle/operands.py compares the sizes with those of a
 * disassembler. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "asm_words.h"

unsigned words_letter_bytes(char c)
{
	return c == 'b' ? 1 : c == 'w' ? 2 : c == 'l' ? 4 : c == 'q' ? 8 : 0;
}

/* Returns the size in bytes of a general register; `name` is without '%' and has n
 * characters. */
static unsigned register_bytes(const char *name, int n)
{
	if (n < 2)
		return 0;
	if (name[n - 1] == 's') /* segment registers */
		return 2;
	if (isdigit((unsigned char)name[1])) /* r8 to r15, r8d, r8w, r8b */
		return name[n - 1] == 'd' ? 4 : name[n - 1] == 'w' ? 2 : name[n - 1] == 'b' ? 1 : 8;
	if (*name == 'r')
		return 8;
	if (*name == 'e')
		return 4;
	return name[n - 1] == 'l' || name[n - 1] == 'h' ? 1 : 2;
}

/* Some mnemonics end with the letter x, y or z, which stands for the size of a vector in memory.
 * Returns this size in bytes; 0 for any other letter. */
static unsigned vector_letter(char c)
{
	return c == 'x' ? 16 : c == 'y' ? 32 : c == 'z' ? 64 : 0;
}

/* Returns the size of an element of the type whose name, as in mnemonics, begins at `type`; 0 if
 * there is no such type. */
static unsigned type_bytes(const char *type)
{
	return word_starts_in(type, "ph sh w uw bf16")   ? 2
	       : word_starts_in(type, "ps ss dq udq pi") ? 4
	       : word_starts_in(type, "pd sd qq uqq")    ? 8
							 : 0;
}

/* If m converts numbers, returns the type from which it converts: the text after "cvt". Otherwise
 * returns NULL. */
static const char *converted_type(const char *m)
{
	m += *m == 'v';
	if (!word_starts(m, "cvt"))
		return NULL;
	m += strlen("cvt");
	m += word_starts(m, "ne2") ? 3 : word_starts(m, "ne") ? 2 : word_starts(m, "t") ? 1 : 0;
	return m;
}

/* Returns the number of bytes of memory that a conversion accesses; 0 if m is not a conversion. */
static unsigned conversion_bytes(const char *m, unsigned whole)
{
	const char *from = converted_type(m), *to = from ? strchr(from, '2') : NULL;
	unsigned source, target;

	if (!to++)
		return 0;
	if (word_starts_in(from, "si usi"))
		return word_ends(m, "q") ? 8 : 4;
	if (strstr(m, "ne2")) /* two vectors, one of them in memory, become one */
		return whole;
	source = type_bytes(from);
	target = type_bytes(to);
	if (*from == 's')
		return source;
	if (word_starts(from, "pi") || word_starts(to, "pi")) /* two elements */
		return 2 * source;
	if (!source || !target)
		return 0;
	if (word_starts(from, "ps2ph") && !word_starts(from, "ps2phx")) /* a store */
		return whole / 2;
	if (source <= target)
		return whole * source / target;
	to += word_starts(from, "ps2phx") || *to == 'u' ? 3 : word_starts(to, "bf16") ? 4 : 2;
	if (vector_letter(*to))
		return vector_letter(*to);
	return whole == 16 ? 16 : whole * source / target;
}

/* Is m an instruction for complex numbers? A complex number consists of two half-precision
 * numbers. */
static bool is_complex(const char *m)
{
	return word_ends(m, "cph") || word_ends(m, "csh");
}

/* Returns the size of the single element that a broadcast operand ({1to8}) loads. */
static unsigned element_bytes(const char *m)
{
	const char *from = converted_type(m);
	char name[32];
	size_t n;

	if (from)
		return type_bytes(from);
	snprintf(name, sizeof(name), "%s", m);
	n = strlen(name);
	if (word_starts(m, "vfpclass") && vector_letter(name[n - 1]))
		name[n - 1] = '\0';
	if (word_ends(name, "ph"))
		return is_complex(name) ? 4 : 2;
	if (word_in(name, "vpunpckldq vpunpckhdq"))
		return 4;
	return word_ends(name, "q") || word_ends(name, "qb") || word_ends(name, "pd") ||
			       word_ends(name, "64x2")
		       ? 8
		       : 4;
}

/* Returns the size of the element that a scalar instruction of SSE or AVX accesses; 0 if m is not
 * such an instruction. */
static unsigned scalar_bytes(const char *m)
{
	if (word_ends(m, "sh"))
		return is_complex(m) ? 4 : 2;
	return word_ends(m, "ss") ? 4 : word_ends(m, "sd") ? 8 : 0;
}

/* Returns the number of bytes of memory that a vector instruction accesses. `whole` is the size of
 * its vector register. */
static unsigned vector_bytes(const char *m, unsigned whole)
{
	const size_t n = strlen(m);
	const char *end = m + (n > 2 ? n - 2 : 0), *plain = *m == 'v' ? m + 1 : m;

	if (conversion_bytes(m, whole))
		return conversion_bytes(m, whole);
	if (word_starts_in(plain, "movlp movhp movq") ||
	    word_in(plain, "broadcastsd broadcastf32x2 broadcasti32x2 pbroadcastq pinsrq pextrq"))
		return 8;
	if (word_in(plain, "movddup"))
		return whole == 16 ? 8 : whole;
	if (word_in(plain, "movd broadcastss pbroadcastd pinsrd pextrd insertps extractps"))
		return 4;
	if (word_in(plain, "movw pinsrw pextrw pbroadcastw bcstnesh2ps bcstnebf162ps"))
		return 2;
	if (word_in(plain, "pinsrb pextrb pbroadcastb"))
		return 1;
	/* MMX instructions load only the half that they need */
	if (whole == 8 && word_in(plain, "punpcklbw punpcklwd punpckldq"))
		return 4;
	/* loads that widen each element, and stores that truncate it */
	if (word_starts(plain, "pmov"))
		return word_in(end, "bq qb")         ? whole / 8
		       : word_in(end, "bd db wq qw") ? whole / 4
						     : whole / 2;
	if (word_starts_in(m, "vinsert vextract vbroadcast"))
		return strstr(m, "64x4") || strstr(m, "32x8") ? 32 : 16;
	if (*plain == 'p') /* integers: in pmaxsd and pabsd, sd means signed 32-bit integers */
		return whole;
	return scalar_bytes(m) ? scalar_bytes(m) : whole;
}

static unsigned x87_bytes(const char *m)
{
	const char last = m[strlen(m) - 1];

	if (word_ends(m, "env"))
		return 28;
	if (strstr(m, "cw") || strstr(m, "sw"))
		return 2;
	if (word_starts(m, "fb")) /* decimal numbers */
		return 10;
	if (m[1] ==
	    'i') /* integers; the last l of fimull is for long, that of fildll for long long */
		return last == 's'                                                             ? 2
		       : word_starts_in(m, "fild fist") && (word_ends(m, "ll") || last == 'q') ? 8
											       : 4;
	return last == 's' ? 4 : last == 't' ? 10 : 8;
}

/* Returns the size of the vector register %xmm, %ymm, %zmm or %mm whose name begins at o; 0 if it
 * is not a vector register. */
static unsigned vector_register_bytes(const char *o)
{
	if (word_starts(o, "%mm"))
		return 8;
	return *o == '%' && word_starts(o + 1 + !!o[1], "mm") ? vector_letter(o[1]) : 0;
}

/* Does the operand in memory contain the number of bits by which all elements of a vector are
 * shifted? */
static bool is_shift_by_memory(const struct words *w)
{
	const char *plain = w->mnemonic + (*w->mnemonic == 'v');

	return word_in(plain, "psrlw psrld psrlq psraw psrad psraq psllw pslld psllq") &&
	       words_is_memory(w->operand[0]);
}

unsigned words_bytes(const struct words *w)
{
	const char *m = w->mnemonic;
	const size_t n = strlen(m);
	unsigned general = 0, whole = 0;

	for (unsigned i = w->n; i-- > 0;) {
		const char *o = w->operand[i].at;

		if (x86_has(w->operand[i], "{1to"))
			return element_bytes(m);
		whole = whole ? whole : vector_register_bytes(o);
		if (*o == '%' && !words_is_memory(w->operand[i]) && !general && o[1] != 'k')
			general = register_bytes(o + 1, w->operand[i].n - 1);
	}
	if (whole)
		return is_shift_by_memory(w) && whole > 8 ? 16 : vector_bytes(m, whole);
	if (word_starts(m, "vfpclass"))
		return scalar_bytes(m) ? scalar_bytes(m) : vector_letter(m[n - 1]);
	if (word_starts_in(m, "movzb movsb"))
		return 1;
	if (word_starts_in(m, "movzw movsw"))
		return 2;
	if (word_starts_in(m, "movslq movsl"))
		return 4;
	if (*m == 'f')
		return x87_bytes(m);
	if (conversion_bytes(m, 0))
		return conversion_bytes(m, 0);
	if (word_starts(m, "set"))
		return 1;
	if (word_in(m, "stmxcsr ldmxcsr vstmxcsr vldmxcsr"))
		return 4;
	if (word_in(m, "cmpxchg16b"))
		return 16;
	if (word_in(m, "kmovd"))
		return 4;
	if (word_in(m, "push pop call jmp jmpq cmpxchg8b"))
		return 8;
	/* the mnemonic's last letter determines the size, because the register (the count of a
	 * shift, the sum of a CRC) has a different size */
	if (word_starts_in(m, "sh sa ro rc crc32") && words_letter_bytes(m[n - 1]))
		return words_letter_bytes(m[n - 1]);
	return general ? general : words_letter_bytes(m[n - 1]) ? words_letter_bytes(m[n - 1]) : 8;
}
