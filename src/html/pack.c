/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "html/pack.h"

#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static size_t encode_base64(const unsigned char *p, size_t n, char *out)
{
	char *start = out;

	for (; n; p += n < 3 ? n : 3, n -= n < 3 ? n : 3) {
		uint32_t bits = (uint32_t)p[0] << 16 | (n > 1 ? (uint32_t)p[1] << 8 : 0) |
				(n > 2 ? p[2] : 0);

		*out++ = digits[bits >> 18];
		*out++ = digits[bits >> 12 & 63];
		*out++ = n > 1 ? digits[bits >> 6 & 63] : '=';
		*out++ = n > 2 ? digits[bits & 63] : '=';
	}
	return (size_t)(out - start);
}

int pack_text(const unsigned char *data, size_t size, char **text, size_t *len, struct md_err *err)
{
	uLongf n = compressBound(size);
	unsigned char *packed = malloc(n);
	int ret = 0;

	*text = NULL;
	if (!packed || compress2(packed, &n, data, size, Z_BEST_COMPRESSION) != Z_OK) {
		ret = md_nomem(err);
		goto out;
	}
	*text = malloc((n + 2) / 3 * 4 + 1);
	if (!*text) {
		ret = md_nomem(err);
		goto out;
	}
	*len = encode_base64(packed, n, *text);
out:
	free(packed);
	return ret;
}
