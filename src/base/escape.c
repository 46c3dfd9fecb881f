/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/escape.h"

#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* One character of a text: its code point and its length in bytes. If the bytes are not valid
 * UTF-8, `valid` is false, and `code` is the first of them. */
struct character {
	uint32_t code;
	int len;
	bool valid;
};

static bool is_tail(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

/* Decodes the character at s; s must not be at the end of the text. Overlong forms, surrogates and
 * code points above U+10FFFF are invalid. */
static struct character decode_character(const char *s)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)s;
	const struct character bad = { *p, 1, false };
	int len = *p < 0x80 ? 1 : *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;
	uint32_t code = len == 1 ? *p : *p & (0x7fu >> len);

	if ((*p >= 0x80 && *p < 0xc2) || *p > 0xf4)
		return bad;
	for (int i = 1; i < len; i++) {
		if (!is_tail(p[i]))
			return bad;
		code = code << 6 | (p[i] & 0x3f);
	}
	if (code < least[len] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return bad;
	return (struct character){ code, len, true };
}

static bool is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0);
}

/* Does the character change the direction of text, or break the line? Such a character could make a
 * table show text that it does not contain. */
static bool is_direction(uint32_t c)
{
	return c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

/* Returns how many columns of a terminal a character takes. Uses the C library's tables for UTF-8,
 * which do not depend on the user's locale. */
static int codepoint_columns(uint32_t c)
{
	static locale_t utf8;
	locale_t old;
	int n;

	if (c < 0x80)
		return 1;
	if (!utf8)
		utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL);
	if (!utf8)
		return 1;
	old = uselocale(utf8);
	n = wcwidth((wchar_t)c);
	uselocale(old);
	return n < 0 ? 1 : n;
}

/* Writes the escape sequence of a character to buf and returns its length; 0 if the character needs
 * no escape sequence. */
static int escape_character(struct character c, char buf[16])
{
	if (!c.valid || is_control(c.code)) {
		if (c.code == '\n')
			return sprintf(buf, "\\n");
		if (c.code == '\t')
			return sprintf(buf, "\\t");
		return sprintf(buf, c.valid && c.code > 0x7f ? "\\u%04x" : "\\x%02x", c.code);
	}
	return is_direction(c.code) ? sprintf(buf, "\\u%04x", c.code) : 0;
}

/* Returns how many columns the printed character takes. If the character needs an escape sequence,
 * returns how many columns the escape sequence takes. */
static int character_columns(struct character c)
{
	char buf[16];
	int len = escape_character(c, buf);

	return len ? len : codepoint_columns(c.code);
}

int escape_width(const char *s)
{
	int n = 0;

	while (*s) {
		struct character c = decode_character(s);

		n += character_columns(c);
		s += c.len;
	}
	return n;
}

/* Prints s[0..n), with escape sequences where needed. n must not end inside a character. */
static void print_bytes(const char *s, size_t n, FILE *out)
{
	const char *end = s + n;
	char buf[16];

	while (s < end) {
		struct character c = decode_character(s);
		int len = escape_character(c, buf);

		if (len)
			fwrite(buf, 1, (size_t)len, out);
		else
			fwrite(s, 1, (size_t)c.len, out);
		s += c.len;
	}
}

void escape_text(const char *s, FILE *out)
{
	print_bytes(s, strlen(s), out);
}

/* Prints the sentence even if memory has run out, since the sentence may report just that. Without
 * memory, a sentence that is longer than `shorter` is cut. */
void escape_say(const char *fmt, ...)
{
	char shorter[2048], *text = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(shorter, sizeof(shorter), fmt, ap);
	va_end(ap);
	if (n >= (int)sizeof(shorter)) {
		va_start(ap, fmt);
		if (vasprintf(&text, fmt, ap) < 0)
			text = NULL;
		va_end(ap);
	}
	escape_text(text ? text : shorter, stderr);
	putc('\n', stderr);
	free(text);
}

/* Can the text be written between single quotes for a shell, and be shown on a terminal, without
 * any change? */
static bool is_plain(const char *s)
{
	char buf[16];

	while (*s && *s != '\'') {
		struct character c = decode_character(s);

		if (escape_character(c, buf))
			return false;
		s += c.len;
	}
	return !*s;
}

void escape_shell(const char *s, FILE *out)
{
	char buf[16];

	if (is_plain(s)) {
		fprintf(out, "'%s'", s);
		return;
	}
	fputs("$'", out);
	while (*s) {
		struct character c = decode_character(s);
		bool hidden = escape_character(c, buf);

		for (int i = 0; i < c.len; i++)
			if (hidden)
				fprintf(out, "\\%03o", (unsigned char)s[i]);
			else
				fprintf(out, "%s%c", strchr("'\\", s[i]) ? "\\" : "", s[i]);
		s += c.len;
	}
	putc('\'', out);
}

enum { ESCAPED_BYTE = 4 }; /* length of "\xff" */

size_t escape_utf8_size(const char *s)
{
	size_t n = 0;

	while (*s) {
		struct character c;

		if ((unsigned char)*s < 0x80) { /* nearly all are */
			n++;
			s++;
			continue;
		}
		c = decode_character(s);
		n += c.valid ? (size_t)c.len : ESCAPED_BYTE;
		s += c.len;
	}
	return n;
}

void escape_utf8(const char *s, char *to)
{
	char buf[16];

	while (*s) {
		struct character c = decode_character(s);
		int n = c.valid ? c.len : escape_character(c, buf);

		to = (char *)mempcpy(to, c.valid ? s : buf, (size_t)n);
		s += c.len;
	}
}

/* Returns how many bytes from the start of s fit into *room columns, and subtracts their width from
 * *room. Never separates a combining mark from the character to which it belongs. */
static size_t bytes_that_fit(const char *s, int *room)
{
	const char *p = s;

	while (*p) {
		struct character c = decode_character(p);
		int n = character_columns(c);

		if (n > *room)
			break;
		*room -= n;
		p += c.len;
	}
	return (size_t)(p - s);
}

/* Returns how many bytes to drop from the start of s, so that the rest fits into *room columns.
 * `all` is the width of s in columns. The rest does not begin with a combining mark, because the
 * character to which the mark belongs would be missing. Subtracts the width of the rest from
 * *room. */
static size_t bytes_to_drop(const char *s, int all, int *room)
{
	const char *p = s;

	while (*p) {
		struct character c = decode_character(p);
		int n = character_columns(c);

		if (all <= *room && n)
			break;
		all -= n;
		p += c.len;
	}
	*room -= all;
	return (size_t)(p - s);
}

/* Minimum number of columns for the start of a function's name; fewer do not show which function it
 * is. */
enum { LEAST_HEAD = 3 };

int escape_place(const char *s)
{
	const char *colon = strrchr(s, ':'), *blank = strrchr(s, ' '),
		   *word = blank ? blank + 1 : s;

	if (!colon || colon <= word || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
		return 0;
	return escape_width(word);
}

struct escape_cut escape_cut(const char *s, int max)
{
	return escape_cut_after(s, max, ESCAPE_MIDDLE);
}

struct escape_cut escape_cut_after(const char *s, int max, int wanted)
{
	struct escape_cut cut = { .width = escape_width(s) };
	int head = wanted == ESCAPE_MIDDLE ? max / 2 : wanted, tail = max - 1 - head;
	int place = escape_place(s);

	if (cut.width <= max) {
		cut.head = cut.tail = strlen(s);
		return cut;
	}
	if (place && place + 1 > tail) { /* keep the place rather than the function's name */
		head = max - place - 2 >= LEAST_HEAD ? max - place - 2 : 0;
		tail = head ? place + 1 : place < max ? place : max - 1;
		max = head + 1 + tail;
	}
	cut.head = bytes_that_fit(s, &head);
	cut.tail = bytes_to_drop(s, cut.width, &tail);
	cut.width = max - head - tail;
	return cut;
}

void escape_text_cut(const char *s, const struct escape_cut *cut, FILE *out)
{
	print_bytes(s, cut->head, out);
	if (s[cut->head])
		fputs("…", out);
	escape_text(s + cut->tail, out);
}

void escape_csv(const char *s, FILE *out)
{
	bool quote = !*s || strpbrk(s, ",\"\r\n");
	char buf[16];

	if (quote)
		putc('"', out);
	while (*s) {
		struct character c = decode_character(s);
		int len = strchr("\r\n\t", *s) ? 0 : escape_character(c, buf);

		if (*s == '"')
			putc('"', out);
		fwrite(len ? buf : s, 1, (size_t)(len ? len : c.len), out);
		s += c.len;
	}
	if (quote)
		putc('"', out);
}

void escape_tsv(const char *s, FILE *out)
{
	static const char meant[] = "\t\n\r\\", letters[] = "tnr\\";
	char buf[16];

	while (*s) {
		struct character c = decode_character(s);
		const char *m = strchr(meant, *s);
		int len = m ? sprintf(buf, "\\%c", letters[m - meant]) : escape_character(c, buf);

		fwrite(len ? buf : s, 1, (size_t)(len ? len : c.len), out);
		s += c.len;
	}
}

void escape_markdown(const char *s, FILE *out)
{
	char buf[16];

	while (*s) {
		struct character c = decode_character(s);
		int len = escape_character(c, buf);

		if (strchr("\\`*_[]<>|#~", len ? *buf : *s))
			putc('\\', out);
		fwrite(len ? buf : s, 1, (size_t)(len ? len : c.len), out);
		s += c.len;
	}
}

void escape_json(const char *s, FILE *out)
{
	putc('"', out);
	while (*s) {
		struct character c = decode_character(s);

		if (!c.valid)
			fputs("\\ufffd", out);
		else if (is_control(c.code) || is_direction(c.code))
			fprintf(out, "\\u%04x", c.code);
		else if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s);
		else
			fwrite(s, 1, (size_t)c.len, out);
		s += c.len;
	}
	putc('"', out);
}
