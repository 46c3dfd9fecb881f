/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/token.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/count.h"

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Returns where the code in a line begins. If the line contains "*" "/" before any quote and before
 * any start of a comment, it ends a comment that an earlier line opened, and the code begins after
 * it. Otherwise the code begins at the start of the line. */
static const char *skip_open_comment(const char *line)
{
	const char *end = strstr(line, "*/");
	const char *begin = strstr(line, "/*");
	const char *quote = strpbrk(line, "\"'");

	if (end && (!begin || end < begin) && (!quote || end < quote))
		return end + 2;
	return line;
}

/* Returns the length of the string or character constant at s, which ends with the line if it is
 * not closed. */
static size_t quoted_length(const char *s)
{
	size_t n = 1;

	while (s[n] && s[n] != s[0])
		n += s[n] == '\\' && s[n + 1] ? 2 : 1;
	return s[n] ? n + 1 : n;
}

/* Is the apostrophe at s that of a lifetime in Rust, such as 'a? Then no apostrophe follows the
 * name after it. */
static bool is_lifetime(const char *s)
{
	size_t n = 1;

	while (is_name_char(s[n]))
		n++;
	return n > 1 && s[n] != '\'';
}

bool text_starts(const char *s, const char *with)
{
	while (*with && *s == *with) {
		s++;
		with++;
	}
	return !*with;
}

static size_t operator_length(const char *s, int *kind)
{
	static const struct {
		const char *text;
		int kind;
	} operators[] = {
		{ "<<=", TOK_ASSIGN }, { ">>=", TOK_ASSIGN }, { "...", TOK_OTHER },
		{ "->", TOK_ARROW },   { "::", TOK_SCOPE },   { "==", TOK_LOGIC },
		{ "!=", TOK_LOGIC },   { "<=", TOK_LOGIC },   { ">=", TOK_LOGIC },
		{ "&&", TOK_LOGIC },   { "||", TOK_LOGIC },   { "+=", TOK_ASSIGN },
		{ "-=", TOK_ASSIGN },  { "*=", TOK_ASSIGN },  { "/=", TOK_ASSIGN },
		{ "%=", TOK_ASSIGN },  { "&=", TOK_ASSIGN },  { "|=", TOK_ASSIGN },
		{ "^=", TOK_ASSIGN },  { ":=", TOK_ASSIGN },  { "=>", TOK_OTHER },
		{ "++", TOK_OTHER },   { "--", TOK_OTHER },   { "<<", TOK_OTHER },
		{ "=", TOK_ASSIGN },
	};

	for (size_t i = 0; i < COUNT_OF(operators); i++) {
		if (text_starts(s, operators[i].text)) {
			*kind = operators[i].kind;
			return strlen(operators[i].text);
		}
	}
	*kind = *s;
	return 1;
}

static size_t token_length(const char *s, int *kind)
{
	size_t n = 1;

	if (is_name_char(*s)) {
		*kind = isdigit((unsigned char)*s) ? TOK_NUMBER : TOK_NAME;
		while (is_name_char(s[n]) || (*kind == TOK_NUMBER && s[n] == '.'))
			n++;
		return n;
	}
	if (*s == '"' || (*s == '\'' && !is_lifetime(s))) {
		*kind = TOK_STRING;
		return quoted_length(s);
	}
	return operator_length(s, kind);
}

void token_read(const char *s, struct token *t)
{
	t->s = s;
	t->len = token_length(s, &t->kind);
}

void tokens_read(struct tokens *ts, const char *line)
{
	const char *s = skip_open_comment(line);

	ts->n = 0;
	ts->is_declarator = false;
	while (*s && ts->n < TOK_MAX) {
		struct token *t = &ts->t[ts->n];

		if (isspace((unsigned char)*s)) {
			s++;
		} else if (text_starts(s, "//")) {
			break;
		} else if (text_starts(s, "/*")) {
			s = strstr(s + 2, "*/");
			if (!s)
				break;
			s += 2;
		} else {
			token_read(s, t);
			s += t->len;
			ts->n++;
		}
	}
}

const struct token *token_at(const struct tokens *ts, int i)
{
	static const struct token end = { TOK_END, "", 0 };

	return i >= 0 && i < ts->n ? &ts->t[i] : &end;
}

static bool opens_bracket(int kind)
{
	return kind == '(' || kind == '[' || kind == '{';
}

static bool closes_bracket(int kind)
{
	return kind == ')' || kind == ']' || kind == '}';
}

int token_partner(const struct token *t, int n, int i)
{
	int step = i < n && opens_bracket(t[i].kind) ? 1 : -1;
	int depth = 0;

	for (; i >= 0 && i < n; i += step) {
		if (opens_bracket(t[i].kind))
			depth += step;
		else if (closes_bracket(t[i].kind))
			depth -= step;
		if (!depth)
			return i;
	}
	return -1;
}

int token_match(const struct tokens *ts, int i)
{
	return i < 0 ? -1 : token_partner(ts->t, ts->n, i);
}

bool token_in(const struct tokens *ts, int i, const char *words)
{
	const struct token *t = token_at(ts, i);
	const char *w = words;

	if (t->kind != TOK_NAME)
		return false;
	while ((w = memmem(w, strlen(w), t->s, t->len))) {
		if (w > words && w[-1] == ' ' && w[t->len] == ' ')
			return true;
		w++;
	}
	return false;
}

bool token_is_nocase(const struct tokens *ts, int i, const char *word)
{
	const struct token *t = token_at(ts, i);

	return t->kind == TOK_NAME && t->len == strlen(word) &&
	       strncasecmp(t->s, word, t->len) == 0;
}

bool token_is_keyword(const struct tokens *ts, int i)
{
	return token_in(
		ts, i,
		" return if else while for do switch case goto new delete throw sizeof using "
		"typedef class struct union enum namespace template operator default break "
		"continue public private protected friend co_return co_yield alignof ");
}

bool token_is_plain_type(const struct tokens *ts, int i)
{
	return token_in(
		ts, i,
		" void int char short long unsigned signed float double bool size_t ssize_t "
		"int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t ");
}

int after_template(const struct tokens *ts, int i)
{
	int depth = 0;

	for (; i < ts->n; i++) {
		int kind = token_kind(ts, i);

		if (kind == '<')
			depth++;
		else if (kind == '>' && --depth == 0)
			return i + 1;
		else if (kind == ';')
			break;
	}
	return -1;
}

int cast_value(const struct tokens *ts, int i)
{
	int open = -1;

	if (token_in(ts, i, " reinterpret_cast static_cast const_cast ") &&
	    token_kind(ts, i + 1) == '<')
		open = after_template(ts, i + 1);
	return token_kind(ts, open) == '(' ? open : -1;
}
