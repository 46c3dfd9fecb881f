/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads numbers and pointers in .eh_frame. Reads beyond the end and unknown encodings set
 * cursor.failed.
 */
#ifndef MEMDB_PRELOAD_CFI_READ_H
#define MEMDB_PRELOAD_CFI_READ_H

#include "base/cursor.h"
#include "cfi.h"

/* Encodings of pointers (DW_EH_PE_*). */
enum {
	PE_ABSPTR = 0x00,
	PE_ULEB128 = 0x01,
	PE_UDATA2 = 0x02,
	PE_UDATA4 = 0x03,
	PE_UDATA8 = 0x04,
	PE_SLEB128 = 0x09,
	PE_SDATA2 = 0x0a,
	PE_SDATA4 = 0x0b,
	PE_SDATA8 = 0x0c,
	PE_PCREL = 0x10,
	PE_DATAREL = 0x30,
	PE_OMIT = 0xff,
};

/* Reads a LEB128 number: seven bits from each byte, the lowest bits first. Sets *bits to the number
 * of bits that were read, and *last to the last byte. */
static inline uint64_t read_leb(struct cursor *c, unsigned *bits, uint8_t *last)
{
	uint64_t v = 0;

	*bits = 0;
	do {
		*last = cursor_u8(c);
		if (*bits < 64)
			v |= (uint64_t)(*last & 0x7f) << *bits;
		*bits += 7;
	} while (*last & 0x80);
	return v;
}

static inline uint64_t read_uleb(struct cursor *c)
{
	unsigned bits;
	uint8_t last;

	if (cursor_left(c) && *c->p < 0x80) /* nearly all numbers have one byte */
		return *c->p++;
	return read_leb(c, &bits, &last);
}

static inline int64_t read_sleb(struct cursor *c)
{
	unsigned bits;
	uint8_t last;
	uint64_t v = read_leb(c, &bits, &last);

	return (int64_t)(bits < 64 && (last & 0x40) ? v | ~(uint64_t)0 << bits : v);
}

static inline uint64_t address_of(const struct cfi_image *image, const uint8_t *p)
{
	return image->address + (uint64_t)(p - image->bytes);
}

static inline uint64_t read_plain(struct cursor *c, unsigned format)
{
	switch (format) {
	case PE_ABSPTR:
	case PE_UDATA8:
	case PE_SDATA8:
		return cursor_u64(c);
	case PE_ULEB128:
		return read_uleb(c);
	case PE_UDATA2:
		return cursor_u16(c);
	case PE_UDATA4:
		return cursor_u32(c);
	case PE_SLEB128:
		return (uint64_t)read_sleb(c);
	case PE_SDATA2:
		return (uint64_t)(int64_t)(int16_t)cursor_u16(c);
	case PE_SDATA4:
		return (uint64_t)(int64_t)(int32_t)cursor_u32(c);
	default:
		c->failed = true;
		return 0;
	}
}

/* Reads a pointer. `encoding` is a combination of DW_EH_PE_* values. `data` is the address to which
 * pointers of the form DW_EH_PE_datarel are relative. Indirect pointers are not supported and fail.
 */
static inline uint64_t read_encoded(struct cursor *c, const struct cfi_image *image,
				    unsigned encoding, uint64_t data)
{
	uint64_t at = address_of(image, c->p);
	uint64_t v = read_plain(c, encoding & 0x0f);

	switch (encoding & 0xf0) {
	case 0:
		return v;
	case PE_PCREL:
		return v + at;
	case PE_DATAREL:
		return v + data;
	default:
		c->failed = true;
		return 0;
	}
}

static inline void skip_pointer(struct cursor *c)
{
	uint8_t encoding = cursor_u8(c);

	if (encoding != PE_OMIT)
		(void)read_plain(c, encoding & 0x0f);
}

#endif
