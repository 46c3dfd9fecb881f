/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads LEB128, DWARF's numbers of variable length (DWARF 5, 7.6). A number of more than 10 bytes
 * is invalid: compilers write no such number, and a hostile one could be as long as the file.
 */
#ifndef MEMDB_SYMBOL_LEB_H
#define MEMDB_SYMBOL_LEB_H

#include "base/cursor.h"

/* Reads the bits of the next number. *n is the number of bits; the highest of them is the sign of a
 * signed number. */
static inline uint64_t leb_bits(struct cursor *c, unsigned *n)
{
	uint64_t v = 0;
	uint8_t b;

	*n = 0;
	do {
		b = cursor_u8(c);
		if (*n < 64)
			v |= (uint64_t)(b & 0x7f) << *n;
		*n += 7;
		c->failed |= *n > 70;
	} while ((b & 0x80) && !c->failed);
	return v;
}

static inline uint64_t leb_unsigned(struct cursor *c)
{
	unsigned n;

	return leb_bits(c, &n);
}

static inline int64_t leb_signed(struct cursor *c)
{
	unsigned n;
	uint64_t v = leb_bits(c, &n);

	if (n < 64 && v >> (n - 1) & 1)
		v |= ~(uint64_t)0 << n;
	return (int64_t)v;
}

#endif
