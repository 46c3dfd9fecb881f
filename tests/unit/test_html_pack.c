/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "html/pack.h"

#include <zlib.h>

#include "check_main.h"

static int value(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *p = strchr(digits, c);

	ck_assert_msg(c && p, "'%c' is no digit", c);
	return (int)(p - digits);
}

static size_t decode(const char *text, size_t len, unsigned char *out)
{
	size_t n = 0;

	ck_assert_uint_eq(len % 4, 0);
	for (size_t i = 0; i < len; i += 4) {
		int last = text[i + 3] == '=', both = text[i + 2] == '=';
		int bits = value(text[i]) << 18 | value(text[i + 1]) << 12 |
			   (both ? 0 : value(text[i + 2])) << 6 | (last ? 0 : value(text[i + 3]));

		out[n++] = (unsigned char)(bits >> 16);
		if (!both)
			out[n++] = (unsigned char)(bits >> 8);
		if (!last)
			out[n++] = (unsigned char)bits;
	}
	return n;
}

START_TEST(bytes_come_back)
{
	unsigned char data[300], packed[1000], back[300];

	for (size_t size = 0; size < sizeof(data); size++) {
		uLongf n = sizeof(back);
		size_t len;
		char *text;

		for (size_t i = 0; i < size; i++)
			data[i] = (unsigned char)(i * i * 31 + size);
		ck_assert_int_eq(pack_text(data, size, &text, &len, NULL), 0);
		len = decode(text, len, packed);
		ck_assert_int_eq(uncompress(back, &n, packed, len), Z_OK);
		ck_assert_uint_eq(n, size);
		ck_assert(!memcmp(back, data, size));
		free(text);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("html_pack");
	TCase *t = tcase_create("html_pack");

	tcase_add_test(t, bytes_come_back);
	suite_add_tcase(s, t);
	return run_suite(s);
}
