/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/cfi_table.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/index.h"
#include "symbol/leb.h"

enum { MAX_AUGMENTATION = 16 };

/* The head of an entry (CIE or FDE). */
struct head {
	struct cursor body; /* the bytes after the id */
	bool common;
	uint64_t common_at; /* FDE: offset of the CIE that it refers to */
	size_t next;        /* offset of the next entry */
};

/* Reads the length and the id of the entry at offset `at` of the section. Returns false if they are
 * damaged, or at the end of the section, which a length of 0 may mark. */
static bool read_head(const struct cfi_table *t, uint64_t at, struct head *h)
{
	struct cursor all = cursor_make(t->start, t->len, false);
	struct cursor c = cursor_range(&all, t->start, at, at < t->len ? t->len - at : 0);
	uint64_t length = cursor_u32(&c), none = UINT32_MAX, id, id_at;
	bool wide = length == UINT32_MAX;

	if (wide)
		length = cursor_u64(&c);
	h->body = cursor_range(&c, c.p, 0, length);
	if (c.failed || h->body.failed || !length)
		return false;
	h->next = (size_t)(h->body.end - t->start);
	id_at = (uint64_t)(h->body.p - t->start);
	if (wide && !t->eh) {
		id = cursor_u64(&h->body);
		none = UINT64_MAX;
	} else {
		id = cursor_u32(&h->body);
	}
	h->common = id == (t->eh ? 0 : none);
	h->common_at = t->eh ? id_at - id : id;
	return true;
}

static uint64_t plain_pointer(struct cursor *c, uint8_t format)
{
	switch (format) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return cursor_u64(c);
	case DW_EH_PE_udata4:
		return cursor_u32(c);
	case DW_EH_PE_sdata4:
		return (uint64_t)(int32_t)cursor_u32(c);
	case DW_EH_PE_udata2:
		return cursor_u16(c);
	case DW_EH_PE_sdata2:
		return (uint64_t)(int16_t)cursor_u16(c);
	case DW_EH_PE_uleb128:
		return leb_unsigned(c);
	case DW_EH_PE_sleb128:
		return (uint64_t)leb_signed(c);
	default:
		c->failed = true;
		return 0;
	}
}

uint64_t cfi_pointer(const struct cfi_table *t, struct cursor *c, uint8_t encoding)
{
	uint64_t here = t->vaddr + (uint64_t)(c->p - t->start);
	uint64_t v = plain_pointer(c, encoding & 0x0f);

	if ((encoding & 0xf0) == DW_EH_PE_pcrel)
		return v + here;
	c->failed |= (encoding & 0xf0) != DW_EH_PE_absptr;
	return v;
}

/*
 * Reads the augmentation data of a CIE. `letters` is its augmentation string, with one letter for
 * each item. If the string begins with 'z', the length of the data is given, so the data from the
 * first unknown letter on can be skipped. Any other string that is not empty sets c->failed.
 */
static void read_augmentation(struct cfi_common *o, struct cursor *c, const char *letters)
{
	struct cursor data;
	uint64_t len;

	if (letters[0] != 'z') {
		c->failed |= letters[0] != '\0';
		return;
	}
	o->sized = true;
	len = leb_unsigned(c);
	data = cursor_range(c, c->p, 0, len);
	cursor_skip(c, len);
	for (letters++; *letters && !data.failed; letters++) {
		if (*letters == 'R')
			o->encoding = cursor_u8(&data);
		else if (*letters == 'S')
			o->signal = true;
		else if (*letters == 'L')
			o->landing = cursor_u8(&data);
		else if (*letters == 'P')
			plain_pointer(&data, cursor_u8(&data) & 0x0f);
		else if (*letters != 'B' && *letters != 'G')
			return;
	}
	c->failed |= data.failed;
}

static bool read_common(const struct cfi_table *t, uint64_t at, struct cfi_common *o)
{
	const char *letters;
	struct cursor *c;
	struct head h;
	uint8_t version;
	size_t left;

	*o = (struct cfi_common){ .encoding = DW_EH_PE_absptr, .landing = DW_EH_PE_omit };
	if (!read_head(t, at, &h) || !h.common)
		return false;
	c = &h.body;
	version = cursor_u8(c);
	letters = (const char *)c->p;
	left = cursor_left(c) < MAX_AUGMENTATION ? cursor_left(c) : MAX_AUGMENTATION;
	if ((version != 1 && version != 3 && version != 4) || !memchr(letters, 0, left))
		return false;
	cursor_skip(c, strlen(letters) + 1);
	if (version == 4 && (cursor_u8(c) != 8 || cursor_u8(c) != 0))
		/* the two bytes are the sizes of addresses and of segment selectors; sizes other
		 * than 8 and 0 are not supported */
		return false;
	o->code_align = leb_unsigned(c);
	o->data_align = leb_signed(c);
	o->ra = version == 1 ? cursor_u8(c) : leb_unsigned(c);
	read_augmentation(o, c, letters);
	o->program = *c;
	return !c->failed;
}

/* Reads the address of the table of landing pads from the augmentation data of an FDE. An encoded 0
 * means that there is none, also if the encoding is relative. */
static uint64_t read_landing(const struct cfi_table *t, struct cursor data, uint8_t encoding)
{
	struct cursor plain = data;
	uint64_t address;

	if (encoding == DW_EH_PE_omit)
		return 0;
	address = cfi_pointer(t, &data, encoding);
	if (!plain_pointer(&plain, encoding & 0x0f) && !plain.failed)
		return 0;
	return data.failed ? UINT64_MAX : address;
}

static bool read_entry(const struct cfi_table *t, struct cursor c, struct cfi_entry *e)
{
	uint64_t bytes;

	e->landing = 0;
	e->lo = cfi_pointer(t, &c, e->common.encoding);
	e->hi = e->lo + plain_pointer(&c, e->common.encoding & 0x0f);
	if (e->common.sized) {
		bytes = leb_unsigned(&c);
		e->landing = read_landing(t, cursor_range(&c, c.p, 0, bytes), e->common.landing);
		cursor_skip(&c, bytes);
	}
	e->program = c;
	return !c.failed && e->lo < e->hi;
}

static int by_lo(const void *a, const void *b)
{
	const struct cfi_span *x = a, *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static void read_spans(struct cfi_table *t)
{
	struct cfi_entry e;
	uint64_t known = 0, at = 0;
	bool ok = false, sorted = true;
	struct head h;

	for (; at <= UINT32_MAX && read_head(t, at, &h); at = h.next) {
		if (h.common)
			continue;
		if (!ok || known != h.common_at)
			ok = read_common(t, h.common_at, &e.common);
		known = h.common_at;
		if (!ok || !read_entry(t, h.body, &e))
			continue;
		if (!VEC_ROOM(&t->spans))
			break;
		sorted &= !t->spans.n || t->spans.at[t->spans.n - 1].lo <= e.lo;
		t->spans.at[t->spans.n++] = (struct cfi_span){ e.lo, (uint32_t)at };
	}
	if (!sorted)
		qsort(t->spans.at, t->spans.n, sizeof(*t->spans.at), by_lo);
}

/* Gets the address of .eh_frame from .eh_frame_hdr. Returns false if .eh_frame_hdr is missing or
 * invalid. */
static bool ehframe_start(const struct image *im, uint64_t *vaddr)
{
	struct cursor c = image_at(im, im->eh_hdr);
	const uint8_t *head = cursor_bytes(&c, 4); /* a version and three encodings */
	uint64_t v;

	if (!im->eh_hdr || !head || head[0] != 1)
		return false;
	v = plain_pointer(&c, head[1] & 0x0f);
	if ((head[1] & 0xf0) == DW_EH_PE_pcrel)
		v += im->eh_hdr + 4;
	*vaddr = v;
	return !c.failed && (head[1] & 0xf0) <= DW_EH_PE_pcrel;
}

/* Finds .eh_frame even if the file has no section headers. */
static bool find_eh_frame(struct cfi_table *t, const struct image *im)
{
	const struct image_section *s = image_section(im, ".eh_frame");

	if (s) {
		t->bytes.c = image_section_bytes(im, s);
		t->vaddr = s->addr;
		return true;
	}
	if (!ehframe_start(im, &t->vaddr))
		return false;
	t->bytes.c = image_at(im, t->vaddr);
	return true;
}

void cfi_table_open(struct cfi_table *t, const struct image *im, bool eh)
{
	*t = (struct cfi_table){ .eh = eh };
	if (eh ? !find_eh_frame(t, im) : !section_open(im, ".debug_frame", &t->bytes))
		return;
	t->start = t->bytes.c.p;
	t->len = cursor_left(&t->bytes.c);
	read_spans(t);
}

void cfi_table_close(struct cfi_table *t)
{
	section_close(&t->bytes);
	free(t->spans.at);
	*t = (struct cfi_table){ 0 };
}

bool cfi_table_find(const struct cfi_table *t, uint64_t vaddr, struct cfi_entry *out)
{
	size_t lo = 0, hi = t->spans.n;
	struct head h;

	while (lo < hi) { /* binary search for the last entry that starts at or before vaddr */
		size_t mid = lo + (hi - lo) / 2;

		if (t->spans.at[mid].lo <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && read_head(t, t->spans.at[lo - 1].at, &h) &&
	       read_common(t, h.common_at, &out->common) && read_entry(t, h.body, out) &&
	       vaddr < out->hi;
}
