/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/minidebug.h"

#ifdef HAVE_LZMA
#include <lzma.h>
#include <stdlib.h>

enum { MAX_UNPACKED = 256 << 20, MAX_MEMORY = 128 << 20, FIRST = 1 << 20 };

/* Unpacks the xz stream in c. Returns the unpacked bytes, which the caller frees; NULL if the
 * stream is invalid or too large. */
static uint8_t *unpack_xz(struct cursor c, size_t *len)
{
	lzma_stream s = LZMA_STREAM_INIT;
	uint8_t *buf = NULL, *more;
	size_t cap = FIRST;
	lzma_ret ret;

	if (lzma_stream_decoder(&s, MAX_MEMORY, 0) != LZMA_OK)
		return NULL;
	s.next_in = c.p;
	s.avail_in = cursor_left(&c);
	do {
		more = cap <= MAX_UNPACKED ? realloc(buf, cap) : NULL;
		if (!more) {
			ret = LZMA_MEM_ERROR;
			break;
		}
		buf = more;
		s.next_out = buf + s.total_out;
		s.avail_out = cap - s.total_out;
		ret = lzma_code(&s, LZMA_FINISH);
		cap *= 2;
	} while (ret == LZMA_OK && !s.avail_out);
	*len = s.total_out;
	lzma_end(&s);
	if (ret == LZMA_STREAM_END)
		return buf;
	free(buf);
	return NULL;
}

bool minidebug_open(const struct image *im, struct image *mini)
{
	const struct image_section *s = image_section(im, ".gnu_debugdata");
	uint8_t *bytes;
	size_t len;

	*mini = (struct image){ 0 };
	if (!s)
		return false;
	bytes = unpack_xz(image_section_bytes(im, s), &len);
	return bytes && image_take(bytes, len, mini) == 0;
}
#else
bool minidebug_open(const struct image *im, struct image *mini)
{
	*mini = (struct image){ 0 };
	return false;
}
#endif
