/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/ehframe.h"

/* The encodings of DWARF pointers (LSB 3.0, 10.5) that occur in these tables. */
enum {
	PE_ABSPTR = 0x00,
	PE_UDATA2 = 0x02,
	PE_UDATA4 = 0x03,
	PE_UDATA8 = 0x04,
	PE_SDATA2 = 0x0a,
	PE_SDATA4 = 0x0b,
	PE_SDATA8 = 0x0c,
	PE_PCREL = 0x10,
	PE_APPLICATION = 0x70,
	PE_OMIT = 0xff,
	PE_TABLE = 0x3b, /* relative to .eh_frame_hdr, 4 bytes: what every linker writes */
};

struct table {
	struct cursor rows; /* 8 bytes each: function, entry; relative to base, sorted */
	uint64_t base;
};

/* A pointer in the encoding pe at vaddr `here`; the offset alone where the base is not needed. */
static uint64_t read_pointer(const struct image *im, struct cursor *c, uint8_t pe, uint64_t here)
{
	uint64_t v = 0;

	switch (pe & 0x0f) {
	case PE_ABSPTR:
		v = image_word(im, c);
		break;
	case PE_UDATA2:
		v = cursor_u16(c);
		break;
	case PE_SDATA2:
		v = (uint64_t)(int16_t)cursor_u16(c);
		break;
	case PE_UDATA4:
		v = cursor_u32(c);
		break;
	case PE_SDATA4:
		v = (uint64_t)(int32_t)cursor_u32(c);
		break;
	case PE_UDATA8:
	case PE_SDATA8:
		v = cursor_u64(c);
		break;
	default:
		c->failed = true;
	}
	return (pe & PE_APPLICATION) == PE_PCREL ? v + here : v;
}

static bool open_table(const struct image *im, struct table *t)
{
	struct cursor c = image_at(im, im->eh_hdr);
	const uint8_t *head = c.p;
	uint8_t version, frame_pe, count_pe, table_pe;
	uint64_t count;

	version = cursor_u8(&c);
	frame_pe = cursor_u8(&c);
	count_pe = cursor_u8(&c);
	table_pe = cursor_u8(&c);
	if (c.failed || version != 1 || table_pe != PE_TABLE || count_pe == PE_OMIT)
		return false;
	read_pointer(im, &c, frame_pe, 0);
	count = read_pointer(im, &c, count_pe, im->eh_hdr + (uint64_t)(c.p - head));
	if (c.failed)
		return false;
	if (count > cursor_left(&c) / 8)
		count = cursor_left(&c) / 8;
	t->rows = c;
	t->rows.end = c.p + count * 8;
	t->base = im->eh_hdr;
	return count > 0;
}

static uint64_t row_word(const struct table *t, size_t row, size_t word)
{
	struct cursor c = t->rows;

	cursor_skip(&c, row * 8 + word * 4);
	return t->base + (uint64_t)(int32_t)cursor_u32(&c);
}

/* The number of rows whose function starts at or before vaddr. */
static size_t rows_before(const struct table *t, uint64_t vaddr)
{
	size_t lo = 0, hi = cursor_left(&t->rows) / 8;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (row_word(t, mid, 0) <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void skip_leb(struct cursor *c)
{
	while (cursor_u8(c) & 0x80)
		;
}

/* The encoding of the pointers of the entries that name the CIE at vaddr; PE_OMIT where unclear. */
static uint8_t cie_encoding(const struct image *im, uint64_t vaddr)
{
	struct cursor c = image_at(im, vaddr);
	const char *aug;
	size_t n;
	uint8_t version;

	cursor_skip(&c, 4 + 4); /* length, id */
	version = cursor_u8(&c);
	aug = (const char *)c.p;
	n = strnlen(aug, cursor_left(&c));
	if (c.failed || n == cursor_left(&c) || n > 8 || (aug[0] && aug[0] != 'z'))
		return PE_OMIT;
	cursor_skip(&c, n + 1);
	if (!aug[0])
		return PE_ABSPTR;
	skip_leb(&c); /* code alignment */
	skip_leb(&c); /* data alignment */
	if (version == 1)
		cursor_skip(&c, 1); /* return address register */
	else
		skip_leb(&c);
	skip_leb(&c); /* length of the augmentation data */
	for (const char *a = aug + 1; *a; a++) {
		uint8_t pe;

		if (*a == 'S' || *a == 'B')
			continue;
		if (*a != 'R' && *a != 'P' && *a != 'L')
			return PE_OMIT;
		pe = cursor_u8(&c);
		if (*a == 'R')
			return c.failed ? PE_OMIT : pe;
		if (*a == 'P')
			read_pointer(im, &c, pe, 0);
	}
	return PE_ABSPTR;
}

/* The range of the entry (FDE) at vaddr. */
static bool read_entry(const struct image *im, uint64_t vaddr, uint64_t *start, uint64_t *end)
{
	struct cursor c = image_at(im, vaddr);
	const uint8_t *head = c.p;
	uint32_t length = cursor_u32(&c);
	uint64_t cie = vaddr + 4 - cursor_u32(&c);
	uint8_t pe;

	if (c.failed || length < 8 || length == UINT32_MAX)
		return false;
	pe = cie_encoding(im, cie);
	if (pe == PE_OMIT)
		return false;
	*start = read_pointer(im, &c, pe, vaddr + (uint64_t)(c.p - head));
	*end = *start + read_pointer(im, &c, pe & 0x0f, 0);
	return !c.failed && *end > *start;
}

bool ehframe_function(const struct image *im, uint64_t vaddr, uint64_t *start, uint64_t *end)
{
	struct table t;
	size_t row;

	if (!im->eh_hdr || !open_table(im, &t))
		return false;
	row = rows_before(&t, vaddr);
	return row && read_entry(im, row_word(&t, row - 1, 1), start, end) && vaddr >= *start &&
	       vaddr < *end;
}
