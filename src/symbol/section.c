/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/section.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

/* Limits on unpacking. A ratio above 4096 is taken to mean a hostile file: zlib cannot exceed a
 * ratio of 1032. */
enum { MAX_UNPACKED = 1 << 30, MAX_RATIO = 4096 };

static bool inflate_all(struct cursor c, uint8_t *out, size_t len)
{
	uLongf n = len;

	return uncompress(out, &n, c.p, cursor_left(&c)) == Z_OK && n == len;
}

/*
 * Unpacks all bytes of c to exactly `len` bytes, the size in the section's header. Returns false if
 * the result has a different size.
 */
static bool unpack_section(struct cursor c, uint32_t type, uint64_t len, struct section_bytes *out)
{
	bool ok;

	if (c.failed || !len || len > MAX_UNPACKED || len / MAX_RATIO > cursor_left(&c))
		return false;
	out->own = malloc(len);
	if (!out->own)
		return false;
	if (type == SECTION_ZSTD)
		ok = ZSTD_decompress(out->own, len, c.p, cursor_left(&c)) == len;
	else
		ok = type == SECTION_ZLIB && inflate_all(c, out->own, len);
	out->c = cursor_make(out->own, len, c.swap);
	if (!ok)
		section_close(out);
	return ok;
}

bool section_unpack(const struct image *im, const struct image_section *s,
		    struct section_bytes *out)
{
	struct cursor c = image_section_bytes(im, s);
	uint32_t type = cursor_u32(&c);
	uint64_t len;

	*out = (struct section_bytes){ 0 };
	if (im->is64)
		cursor_skip(&c, 4); /* skips ch_reserved of Elf64_Chdr */
	len = image_word(im, &c);
	image_word(im, &c); /* skips ch_addralign */
	return unpack_section(c, type, len, out);
}

/* Unpacks a .zdebug_ section. It has "ZLIB", the size (big-endian in all files) and the data. */
static bool open_zdebug(struct cursor c, struct section_bytes *out)
{
	const uint8_t *head = cursor_bytes(&c, 12);
	uint64_t len = 0;

	if (!head || memcmp(head, "ZLIB", 4) != 0)
		return false;
	for (int i = 4; i < 12; i++)
		len = len << 8 | head[i];
	return unpack_section(c, SECTION_ZLIB, len, out);
}

bool section_open(const struct image *im, const char *name, struct section_bytes *out)
{
	const struct image_section *s = image_section(im, name);
	char old[64];

	*out = (struct section_bytes){ 0 };
	if (s && (s->flags & SHF_COMPRESSED))
		return section_unpack(im, s, out);
	if (s) {
		out->c = image_section_bytes(im, s);
		return cursor_left(&out->c) > 0;
	}
	snprintf(old, sizeof(old), ".z%s", name + 1);
	s = image_section(im, old);
	return s && open_zdebug(image_section_bytes(im, s), out);
}

void section_close(struct section_bytes *s)
{
	free(s->own);
	*s = (struct section_bytes){ 0 };
}
