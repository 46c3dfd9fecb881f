/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/member.h"

#include <string.h>

/* A member in the definition of a class; the members are positions of tokens in a view. */
struct member {
	int64_t type;       /* first token of its type */
	int64_t name;       /* -1: not the declaration of one variable */
	int64_t value, end; /* the value (value == end: none), and the ";" */
};

static bool is_word(const struct view *v, int64_t i, struct word w)
{
	const struct token *t = &v->tokens.at[i].t;

	return view_kind(v, i) == TOK_NAME && t->len == w.len && !memcmp(t->s, w.s, w.len);
}

/* Returns the position of the token's partner, or the position itself. */
static int64_t after_brackets(const struct view *v, int64_t i)
{
	return v->tokens.at[i].partner > i ? v->tokens.at[i].partner : i;
}

/* Can a variable of the type that begins at token i not hold a block? */
static bool is_plain(const struct view *v, int64_t i, int64_t name)
{
	struct tokens type = { .n = 1 };

	type.t[0] = v->tokens.at[i].t;
	return name == i + 1 && token_is_plain_type(&type, 0);
}

/* Does the file declare a variable of this name that has no constructor, as in "bool name;"? */
static bool is_plain_variable(const struct view *v, struct word name)
{
	for (int64_t i = 1; i < v->tokens.n; i++) {
		int next = view_kind(v, i + 1);

		if (is_word(v, i, name) && (next == ';' || next == TOK_ASSIGN) &&
		    is_plain(v, i - 1, i))
			return true;
	}
	return false;
}

bool initializes_plain(const struct statement *st)
{
	const struct token *t = token_at(&st->tokens, 0);

	return is_name(listed_member(st)) &&
	       is_plain_variable(st->view, (struct word){ t->s, t->len });
}

bool is_in_head(const struct statement *st)
{
	return st->function && st->place < st->function->body;
}

bool is_unlisted(const struct statement *st, const char *callee)
{
	const size_t len = callee ? strlen(callee) : 0;

	if (!is_in_head(st))
		return false;
	return st->place <= st->function->end || initializes_plain(st) ||
	       (len > 2 && !strcmp(callee + len - 2, "()") &&
		token_match(&st->tokens, 1) == st->at && st->at > 2);
}

/* Sets [*from, *to) to the tokens between the braces of the class. Returns false if the file does
 * not define it. */
static bool find_class(const struct view *v, struct word class, int64_t *from, int64_t *to)
{
	for (int64_t i = 1; i < v->tokens.n; i++) {
		int64_t at = i + 1;

		if (!is_word(v, i, class) ||
		    (!view_is(v, i - 1, "class") && !view_is(v, i - 1, "struct")))
			continue;
		while (at < v->tokens.n && view_kind(v, at) != ';' && view_kind(v, at) != '{')
			at++;
		if (view_kind(v, at) == '{' && v->tokens.at[at].partner > at) {
			*from = at + 1;
			*to = v->tokens.at[at].partner;
			return true;
		}
	}
	return false;
}

/* Reads the declaration that begins at token i of a class whose definition ends at `to`. */
static struct member read_member(const struct view *v, int64_t i, int64_t to)
{
	struct member m = { .type = i, .name = -1, .value = to, .end = to };
	/* ends with the brace: a function or the definition of a type */
	bool has_body = view_is(v, i, "struct") || view_is(v, i, "class") ||
			view_is(v, i, "union") || view_is(v, i, "enum");

	for (; i < to; i = after_brackets(v, i) + 1) {
		int kind = view_kind(v, i);

		if (kind == ';' || (kind == '{' && has_body)) {
			m.end = after_brackets(v, i);
			break;
		}
		has_body |= kind == '(' && m.value == to;
		if (m.value == to && (kind == TOK_ASSIGN || kind == '{'))
			m.value = i;
	}
	if (m.value > m.end)
		m.value = m.end;
	if (!has_body && m.value > m.type + 1 && view_kind(v, m.value - 1) == TOK_NAME)
		m.name = m.value - 1;
	return m;
}

/* Gets the next member from token *i on, and moves *i behind it. */
static bool next_member(const struct view *v, int64_t *i, int64_t to, struct member *out)
{
	for (; *i < to; (*i)++) {
		if (view_kind(v, *i + 1) == ':') /* "public:" */
			(*i)++;
		else if (view_kind(v, *i) == '{') /* after "B() : member{ 1 }" */
			*i = after_brackets(v, *i);
		else if (view_kind(v, *i) != ';')
			break;
	}
	if (*i >= to)
		return false;
	*out = read_member(v, *i, to);
	*i = out->end + 1;
	return true;
}

/* Can the value of the member be a new block: does it call or construct something? A number in
 * braces does not, as for std::atomic. */
static bool may_allocate(const struct view *v, const struct member *m)
{
	if (m->name < 0 || is_plain(v, m->type, m->name) || view_is(v, m->type, "static") ||
	    (view_kind(v, m->value) == '{' && view_kind(v, m->value + 1) == TOK_NUMBER))
		return false;
	for (int64_t i = m->value; i < m->end; i++)
		if (view_is(v, i, "new") || ((view_kind(v, i) == '(' || view_kind(v, i) == '{') &&
					     v->tokens.at[i].partner > i + 1))
			return true;
	return false;
}

static bool append(char *out, size_t size, size_t *n, const struct token *t)
{
	if (*n + t->len + 2 > size)
		return false;
	if (*n)
		out[(*n)++] = '|';
	memcpy(out + *n, t->s, t->len);
	*n += t->len;
	out[*n] = '\0';
	return true;
}

bool members_with_values(const struct view *v, struct word class, char *out, size_t size)
{
	struct member m;
	int64_t i, to;
	size_t n = 0;

	if (!find_class(v, class, &i, &to))
		return false;
	while (next_member(v, &i, to, &m))
		if (may_allocate(v, &m) && !append(out, size, &n, &v->tokens.at[m.name].t))
			return false;
	return n > 0;
}
