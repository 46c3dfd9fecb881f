/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

static const char digits[] = "0123456789abcdef";

void json_release(struct json *j)
{
	free(j->text);
	*j = (struct json){ 0 };
}

void json_reset(struct json *j)
{
	j->len = 0;
	j->failed = false;
}

/* Makes room for n more bytes and returns where the caller must write them. NULL means out of
 * memory. */
static char *make_room(struct json *j, size_t n)
{
	char *p;

	if (j->failed)
		return NULL;
	if (n > j->cap - j->len) {
		size_t cap = (j->len + n) * 2 + 64;

		p = cap > n ? realloc(j->text, cap) : NULL;
		if (!p) {
			j->failed = true;
			return NULL;
		}
		j->text = p;
		j->cap = cap;
	}
	p = j->text + j->len;
	j->len += n;
	return p;
}

void json_raw(struct json *j, const char *s, size_t n)
{
	char *p = make_room(j, n);

	if (p && n)
		memcpy(p, s, n);
}

/* Returns the length of the UTF-8 character with which s[0..n) begins, n > 0; 0 if it is invalid.
 * Overlong forms, surrogates and code points above U+10FFFF are invalid. */
static size_t utf8_length(const uint8_t *s, size_t n)
{
	size_t len = *s < 0x80 ? 1 : *s < 0xc2 ? 0 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : 4;

	if (!len || len > n || *s > 0xf4)
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] >= 0xa0) ||
	    (*s == 0xf0 && s[1] < 0x90) || (*s == 0xf4 && s[1] >= 0x90))
		return 0;
	return len;
}

static void put_escape(struct json *j, uint8_t c)
{
	char text[6] = { '\\', 'u', '0', '0', digits[c >> 4], digits[c & 15] };

	if (c == '"' || c == '\\') {
		text[1] = (char)c;
		json_raw(j, text, 2);
	} else {
		json_raw(j, text, sizeof(text));
	}
}

/* Returns how many bytes at the start of s[0..n) need no escape in a JSON string. */
static size_t plain_length(const uint8_t *s, size_t n)
{
	size_t at = 0, len;

	while (at < n && s[at] >= 0x20 && s[at] != '"' && s[at] != '\\' && s[at] != 0x7f &&
	       (len = utf8_length(s + at, n - at)))
		at += len;
	return at;
}

void json_string(struct json *j, const char *s, size_t n)
{
	const uint8_t *p = (const uint8_t *)s, *end = p + n;

	json_raw(j, "\"", 1);
	while (p < end) {
		size_t len = plain_length(p, (size_t)(end - p));

		json_raw(j, (const char *)p, len);
		p += len;
		if (p == end)
			break;
		if (*p < 0x80)
			put_escape(j, *p);
		else
			json_raw(j, "\xef\xbf\xbd", 3);
		p++;
	}
	json_raw(j, "\"", 1);
}

void json_int(struct json *j, int64_t v)
{
	char text[20];
	size_t at = sizeof(text);
	uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;

	do {
		text[--at] = (char)('0' + u % 10);
		u /= 10;
	} while (u);
	if (v < 0)
		text[--at] = '-';
	json_raw(j, text + at, sizeof(text) - at);
}

void json_hex(struct json *j, const uint8_t *p, size_t n)
{
	char *out = make_room(j, 2 * n + 2);

	if (!out)
		return;
	*out++ = '"';
	for (size_t i = 0; i < n; i++) {
		*out++ = digits[p[i] >> 4];
		*out++ = digits[p[i] & 15];
	}
	*out = '"';
}

const char *json_end(struct json *j)
{
	json_raw(j, "", 1);
	return j->failed ? NULL : j->text;
}
